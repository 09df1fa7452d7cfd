// A stub of `vscode` and of the language client, which records what the extension does.
"use strict";

const Module = require("node:module");
const { tmpdir } = require("node:os");
const { EventEmitter } = require("node:events");

/** Return a document as VS Code has it. */
function makeDocument(text, languageId = "yaml", path = "/rules/mine.yaml") {
  return {
    languageId, text, isUntitled: false, isDirty: false, lineCount: text.split("\n").length, saved: 0,
    uri: { fsPath: path, scheme: "file" },
    getText: (range) => (range ? text.split("\n").slice(range.from, range.to).join("\n") : text),
    async save() { this.saved += 1; this.isDirty = false; return true; },
  };
}

/** Return stubs and a record of the calls. `settings` are those of `rulespec.*`; `answers` are the buttons that are chosen, in turn. */
function makeStub({ settings = {}, documents = [], folder = tmpdir(), answers = [] } = {}) {
  const seen = { errors: [], commands: new Map(), executed: [], tasks: [], clients: [], lines: [], languages: [], said: [] };
  const events = new EventEmitter();
  const listen = (name) => (job) => { events.on(name, job); return { dispose: () => events.off(name, job) }; };
  const values = { command: ["rulespec"], recognise: true, ...settings };
  const root = folder && { name: "rules", uri: { fsPath: folder, toString: () => `file://${folder}` } };
  const vscode = {
    Range: class { constructor(from, _a, to) { Object.assign(this, { from, to }); } },
    ProcessExecution: class { constructor(process, args, options) { Object.assign(this, { process, args, options }); } },
    Task: class { constructor(definition, scope, name, source, execution) { Object.assign(this, { definition, scope, name, source, execution }); } },
    TaskScope: { Workspace: 2 }, TaskRevealKind: { Always: 1 }, TaskPanelKind: { Dedicated: 2 },
    workspace: {
      textDocuments: documents,
      workspaceFolders: root ? [root] : undefined,
      getWorkspaceFolder: () => root,
      getConfiguration: () => ({ get: (name) => values[name] }),
      onDidOpenTextDocument: listen("open"), onDidSaveTextDocument: listen("save"), onDidChangeConfiguration: listen("settings"),
    },
    languages: { async setTextDocumentLanguage(document, language) { document.languageId = language; seen.languages.push(language); return document; } },
    window: {
      activeTextEditor: documents[0] && { document: documents[0] },
      createOutputChannel: () => ({ appendLine: (line) => seen.lines.push(line), append: (text) => seen.lines.push(text), show() {}, dispose() {} }),
      async showErrorMessage(message, ...buttons) { seen.errors.push({ message, buttons }); return answers.shift(); },
    },
    commands: {
      registerCommand: (name, job) => { seen.commands.set(name, job); return { dispose() {} }; },
      async executeCommand(...words) { seen.executed.push(words); },
    },
    tasks: { async executeTask(task) { seen.tasks.push(task); } },
  };
  const languageClient = {
    RevealOutputChannelOn: { Never: 4 }, CloseAction: { DoNotRestart: 1, Restart: 2 }, ErrorAction: { Continue: 1, Shutdown: 2 },
    LanguageClient: class {
      constructor(id, name, launch, options) { Object.assign(this, { id, launch, options, stopped: 0 }); seen.clients.push(this); }
      async start() { this.process = await this.launch(); this.process.unref(); this.process.stdin.unref?.(); this.process.stdout.unref?.(); this.process.stderr.unref?.(); } // a test that fails does not hang
      createDefaultErrorHandler() { return { error: () => ({ action: 1 }), closed: () => ({ action: 2 }) }; }
      error(message, data, show) { seen.said.push([message, show]); }
      async stop() { this.stopped += 1; this.process?.kill(); }
    },
  };
  return { vscode, languageClient, seen, events, values };
}

/** Return a stand-in that has every name, each of them a class and a function; `own` are those that matter. */
function anything(own = {}) {
  return new Proxy(function () {}, {
    get(target, name) {
      if (Object.hasOwn(own, name)) return own[name]?.constructor === Object ? anything(own[name]) : own[name];
      if (name === Symbol.iterator) return function* () {};
      if (name === Symbol.toPrimitive) return () => "";
      if (name === "toJSON") return () => null;
      if (name === "prototype") return target.prototype;
      return typeof name === "symbol" || name === "then" || name === "map" ? undefined : anything();
    },
    apply: () => anything(),
    construct: () => anything(),
  });
}

/** Return a new copy of the extension that sees the stubs. */
function loadExtension({ vscode, languageClient }, file = require.resolve("../src/extension.js")) {
  const load = Module._load;
  Module._load = function (name, ...rest) {
    if (name === "vscode") return vscode;
    if (name === "vscode-languageclient/node" && languageClient) return languageClient;
    return load.call(this, name, ...rest);
  };
  try {
    delete require.cache[file];
    return require(file);
  } finally {
    Module._load = load;
  }
}

module.exports = { anything, makeDocument, makeStub, loadExtension };
