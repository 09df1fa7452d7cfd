// The bundle, as it is packed, with the real client in it and nothing but `vscode` beside it.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { test } = require("node:test");
const { anything, loadExtension, makeDocument, makeStub } = require("./stub.js");

const DIST = join(__dirname, "..", "dist");
const SERVER = process.env.RULESPEC_COMMAND; // words, as JSON: how rulespec is started here

/** Return the extension, started for one rule file, and what was seen. */
async function started(command) {
  const stub = makeStub({ documents: [makeDocument("rulespec: 1\n", "rulespec")], settings: { command } });
  const extension = loadExtension({ vscode: anything({ ...stub.vscode, version: "1.91.0" }) }, join(DIST, "extension.js"));
  await extension.activate({ subscriptions: [] });
  return { ...stub, extension };
}

test("bundle: the licences of what is in it are beside it", () => {
  const text = readFileSync(join(DIST, "LICENCES.txt"), "utf8");
  for (const name of ["vscode-languageclient", "vscode-jsonrpc", "semver", "minimatch"]) assert.match(text, new RegExp(`^${name} \\d`, "m"));
  assert.match(text, /Permission is hereby granted/);
});

test("client: it starts and stops the real server, without a word", { skip: SERVER ? false : "RULESPEC_COMMAND does not say how rulespec is started" }, async () => {
  const { seen, extension } = await started(JSON.parse(SERVER));
  await extension.deactivate();
  assert.deepEqual([seen.errors, seen.lines], [[], []]);
});

test("client: a program that is not there is said once", async () => {
  const { seen, extension } = await started(["no-such-rulespec"]);
  await extension.deactivate();
  assert.deepEqual(seen.errors.map((one) => one.message), [
    "`no-such-rulespec` was not found. Install it with `pip install 'rulespec[lsp]'`, or name it in the setting `rulespec.command`.",
  ]);
});

test("client: a server that ends at once is quoted once, and not started again", async () => {
  const words = [process.execPath, "-e", "console.error('Error: pygls is missing'); process.exit(1)"];
  const { seen, extension } = await started(words);
  await extension.deactivate();
  assert.equal(seen.errors.length, 1);
  assert.match(seen.errors[0].message, /ended at once with 1: pygls is missing\. `pip install 'rulespec\[lsp\]'` installs what it needs\.$/);
  assert.equal(seen.lines.filter((line) => line.startsWith("Error: pygls")).length, 1);
});
