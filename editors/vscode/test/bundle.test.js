// The bundle, as it is packed: it loads with nothing but `vscode` beside it.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { test } = require("node:test");
const { loadExtension } = require("./stub.js");

const DIST = join(__dirname, "..", "dist");

/** Return a stand-in for `vscode`, in which every name is a class that has every name. */
const anything = () => new Proxy(class {}, { get: (target, name) => (name === "prototype" || typeof name === "symbol" ? target[name] : anything()) });

test("bundle: it loads, and has what VS Code calls", () => {
  const extension = loadExtension({ vscode: anything() }, join(DIST, "extension.js"));
  assert.equal(typeof extension.activate, "function");
  assert.equal(typeof extension.deactivate, "function");
});

test("bundle: the licences of what is in it are beside it", () => {
  const text = readFileSync(join(DIST, "LICENCES.txt"), "utf8");
  for (const name of ["vscode-languageclient", "vscode-jsonrpc", "semver", "minimatch"]) assert.match(text, new RegExp(`^${name} \\d`, "m"));
  assert.match(text, /Permission is hereby granted/);
});
