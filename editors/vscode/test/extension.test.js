// The extension with a stub of VS Code: which files it takes, how it starts the server, what it says if it cannot.
"use strict";

const assert = require("node:assert/strict");
const { chmodSync, mkdtempSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");
const { isRuleFile } = require("../src/detect.js");
const { StartError, commandLine } = require("../src/command.js");
const { loadExtension, makeDocument, makeStub } = require("./stub.js");

const GAME = "# a comment\nrulespec: 1\ngame: A\n";
const COMPOSE = "services:\n  web: {image: x}\n  rulespec: 1\n";
const WAITS = [process.execPath, "-e", "process.stdin.resume()"]; // `lsp` is an argument of the script

/** Return a program that says something and ends with a code. */
function program(text, code) {
  const file = join(mkdtempSync(join(tmpdir(), "rulespec-")), "rulespec.js");
  writeFileSync(file, `console.error(${JSON.stringify(text)}); process.exit(${code});`);
  chmodSync(file, 0o755);
  return [process.execPath, file];
}

async function activated(options) {
  const stub = makeStub(options);
  const extension = loadExtension(stub);
  const context = { subscriptions: [] };
  await extension.activate(context);
  return { ...stub, extension, context };
}

async function until(done) {
  for (let turn = 0; turn < 500 && !done(); turn += 1) await new Promise((next) => setTimeout(next, 10));
  assert.ok(done());
}

test("rule file: a top-level key says so, wherever the comments are", () => {
  for (const text of ["rulespec: 1", GAME, "\uFEFFrulespec: 1\n", "game: A\r\nrulespec: 1\r\n", '"rulespec": 1\n', "rulespec:\n"]) assert.equal(isRuleFile(text), true, text);
  for (const text of ["", COMPOSE, "# rulespec: 1\n", "rulespecs: 1\n", "rulespec:1\n", `${"# x\n".repeat(300)}rulespec: 1\n`]) assert.equal(isRuleFile(text), false, text);
});

test("yaml: a rule file becomes one, another file stays what it is", async () => {
  const documents = [makeDocument(GAME), makeDocument(COMPOSE)];
  const { seen, extension } = await activated({ documents, settings: { command: WAITS } });
  assert.deepEqual(documents.map((one) => one.languageId), ["rulespec", "yaml"]);
  assert.equal(seen.clients.length, 1);
  await extension.deactivate();
});

test("yaml: without `recognise` nothing is changed, and no server is started", async () => {
  const documents = [makeDocument(GAME)];
  const { seen } = await activated({ documents, settings: { recognise: false } });
  assert.equal(documents[0].languageId, "yaml");
  assert.equal(seen.clients.length, 0);
});

test("server: it is started once, for rule files only, and stopped at the end", async () => {
  const { seen, events, extension } = await activated({ settings: { command: WAITS } });
  assert.equal(seen.clients.length, 0);
  events.emit("open", makeDocument(GAME, "rulespec"));
  events.emit("open", makeDocument(GAME, "rulespec"));
  await until(() => seen.clients[0]?.process);
  assert.equal(seen.clients.length, 1);
  assert.deepEqual(seen.clients[0].options.documentSelector, [{ scheme: "file", language: "rulespec" }, { scheme: "untitled", language: "rulespec" }]);
  assert.deepEqual(seen.clients[0].process.spawnargs.slice(1), [...WAITS.slice(1), "lsp"]);
  await extension.deactivate();
  assert.equal(seen.clients[0].stopped, 1);
  assert.deepEqual(seen.errors, []);
});

test("server: restart starts another one, also when the command changes", async () => {
  const { seen, events, extension } = await activated({ documents: [makeDocument(GAME)], settings: { command: WAITS } });
  await seen.commands.get("rulespec.restartServer")();
  assert.deepEqual(seen.clients.map((one) => one.stopped), [1, 0]);
  events.emit("settings", { affectsConfiguration: (name) => name === "rulespec.command" });
  await until(() => seen.clients.length === 3);
  await extension.deactivate();
});

test("server: a program that is not there is named, with what to install", async () => {
  const { seen } = await activated({ documents: [makeDocument(GAME)], settings: { command: ["no-such-rulespec"] }, answers: ["Open settings"] });
  await until(() => seen.executed.length === 1);
  assert.deepEqual(seen.errors, [{
    message: "`no-such-rulespec` was not found. Install it with `pip install 'rulespec[lsp]'`, or name it in the setting `rulespec.command`.",
    buttons: ["Open settings", "Try again"],
  }]);
  assert.deepEqual(seen.executed, [["workbench.action.openSettings", "rulespec.command"]]);
  assert.deepEqual(seen.lines, [seen.errors[0].message]);
});

test("server: after `Try again` it is started again", async () => {
  const stub = makeStub({ documents: [makeDocument(GAME)], settings: { command: ["no-such-rulespec"] } });
  const say = stub.vscode.window.showErrorMessage;
  stub.vscode.window.showErrorMessage = async (...words) => { stub.values.command = WAITS; await say(...words); return "Try again"; };
  const extension = loadExtension(stub);
  await extension.activate({ subscriptions: [] });
  await until(() => stub.seen.clients[1]?.process);
  assert.equal(stub.seen.errors.length, 1);
  await extension.deactivate();
});

test("server: one that ends at once is quoted", async () => {
  const command = program("Error: `rulespec lsp` needs the package pygls", 1);
  const stub = makeStub({ documents: [makeDocument(GAME)], settings: { command } });
  stub.languageClient.LanguageClient.prototype.start = async function () {
    this.process = await this.launch();
    await new Promise((next) => this.process.once("close", next));
    this.error("couldn't create connection", undefined, "force"); // as the real client has it
    throw new Error("Connection got disposed.");
  };
  await loadExtension(stub).activate({ subscriptions: [] });
  await until(() => stub.seen.errors.length);
  await new Promise((next) => setTimeout(next, 700)); // no second message follows
  assert.deepEqual(stub.seen.errors.map((one) => one.message), [
    `\`${command.join(" ")} lsp\` ended at once with 1: \`rulespec lsp\` needs the package pygls. \`pip install 'rulespec[lsp]'\` installs what it needs.`,
  ]);
  assert.deepEqual(stub.seen.said, [["couldn't create connection", false]]); // one message is enough
  assert.deepEqual(await stub.seen.clients[0].options.errorHandler.closed(), { action: 1, handled: true });
});

test("server: one that ran and ended is started again, as usual", async () => {
  const { seen, extension } = await activated({ documents: [makeDocument(GAME)], settings: { command: WAITS } });
  assert.deepEqual(await seen.clients[0].options.errorHandler.closed(), { action: 2 });
  seen.clients[0].process.kill();
  await until(() => seen.clients[0].process.signalCode);
  assert.deepEqual(seen.errors, []);
  await extension.deactivate();
});

test("command: a list of words, in which the folder may stand", () => {
  assert.deepEqual(commandLine(["${workspaceFolder}/.venv/bin/rulespec"], "/rules"), ["/rules/.venv/bin/rulespec"]);
  assert.deepEqual(commandLine(["python3", "-m", "rulespec"], undefined), ["python3", "-m", "rulespec"]);
  for (const wrong of ["rulespec", [], [""], [1], undefined]) assert.throws(() => commandLine(wrong, "/rules"), StartError);
  assert.throws(() => commandLine(["${workspaceFolder}/x"], undefined), /no folder is open/);
});

test("setting: one of another form is refused with what is expected", async () => {
  const { seen } = await activated({ documents: [makeDocument(GAME)], settings: { command: "rulespec" } });
  assert.match(seen.errors[0].message, /^The setting `rulespec.command` is a list of words/);
});

test("commands: the file in front is saved and given to rulespec, without a shell", async () => {
  const document = makeDocument(GAME, "rulespec", "/rules/it's $(mine).yaml");
  document.isDirty = true;
  const { seen, extension } = await activated({ documents: [document], settings: { command: WAITS } });
  for (const verb of ["validate", "test", "play"]) await seen.commands.get(`rulespec.${verb}File`)();
  assert.equal(document.saved, 1);
  assert.deepEqual(seen.tasks.map(({ execution }) => [execution.process, execution.args.slice(2), execution.options.cwd]), [
    [WAITS[0], ["validate", "/rules/it's $(mine).yaml"], tmpdir()],
    [WAITS[0], ["test", "/rules/it's $(mine).yaml"], tmpdir()],
    [WAITS[0], ["play", "/rules/it's $(mine).yaml"], tmpdir()],
  ]);
  await extension.deactivate();
});

test("commands: without a rule file in front, or before it is saved, they say what is missing", async () => {
  const { seen, vscode } = await activated({ documents: [makeDocument(COMPOSE)] });
  await seen.commands.get("rulespec.playFile")();
  vscode.window.activeTextEditor.document = { ...makeDocument(GAME, "rulespec"), isUntitled: true };
  await seen.commands.get("rulespec.testFile")();
  assert.deepEqual(seen.errors.map((one) => one.message), [
    "`rulespec play` needs a rule file in front: open one, or choose the language “rulespec” for it.",
    "Save the file before `rulespec test`: the command reads it from the disk.",
  ]);
  assert.deepEqual(seen.tasks, []);
});

test("manifest: every command is registered", async () => {
  const { seen, extension } = await activated();
  const { contributes } = require("../package.json");
  assert.deepEqual([...seen.commands.keys()].sort(), contributes.commands.map((one) => one.command).sort());
  await extension.deactivate();
});
