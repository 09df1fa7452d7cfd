// The extension: finds rule files, starts `rulespec lsp`, runs commands on the file in front.
"use strict";

const vscode = require("vscode");
const { CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn } = require("vscode-languageclient/node");
const { StartError, commandLine, notStarted, startServer } = require("./command.js");
const { isRuleFile, LINES } = require("./detect.js");

const LANGUAGE = "rulespec";
const SETTINGS = "Open settings";
const RETRY = "Try again";
const LAST_WORDS = 500; // milliseconds in which a server that ended may say why

const pause = (milliseconds) => new Promise((next) => setTimeout(next, milliseconds));

/** A client that leaves it to the extension to say why a server did not start, so that it is said once and with what to do. */
class RuleClient extends LanguageClient {
  running = false;

  error(message, data, show) {
    super.error(message, data, this.running ? show : false);
  }

  async stop(milliseconds) {
    await super.stop(milliseconds).catch(() => {}); // one that never ran, or has ended, is stopped
  }
}

/** Return what the extension does from its start to its end; VS Code calls `activate` and `deactivate` once each. */
function createExtension() {
  let client = null;
  let output = null;
  let changing = Promise.resolve(); // starts and stops, one after the other

  const folder = (document) => {
    const own = document && vscode.workspace.getWorkspaceFolder(document.uri);
    return (own ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  };
  const words = (document) => commandLine(vscode.workspace.getConfiguration("rulespec", document?.uri).get("command"), folder(document));

  async function complain(message) {
    output.appendLine(message);
    const chosen = await vscode.window.showErrorMessage(message, SETTINGS, RETRY);
    if (chosen === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "rulespec.command");
    if (chosen === RETRY) await restart();
  }

  async function start() {
    if (client) return;
    let told = false;
    const tell = (message) => { if (!told) { told = true; complain(message); } };
    const ended = (message) => { if (client === starting && !starting.running) tell(message); };
    const starting = new RuleClient("rulespec", "rulespec", () => startServer(words(), folder(), ended), {
      documentSelector: ["file", "untitled"].map((scheme) => ({ scheme, language: LANGUAGE })),
      outputChannel: output,
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      initializationFailedHandler: () => false,
      errorHandler: { // one that never ran is not started again and again
        error: (...what) => (starting.running ? usual.error(...what) : { action: ErrorAction.Shutdown, handled: true }),
        closed: async () => {
          if (starting.running) return usual.closed();
          await pause(LAST_WORDS); // meanwhile `start()` is refused; the client forgets it with this answer
          return { action: CloseAction.DoNotRestart, handled: true };
        },
      },
    });
    const usual = starting.createDefaultErrorHandler();
    client = starting;
    try {
      await starting.start();
      starting.running = true;
    } catch (error) {
      if (error instanceof StartError) tell(error.message);
      else await pause(LAST_WORDS);
      tell(`The language server did not start: ${error.message}`);
      client = null;
    }
  }

  async function stop() {
    const old = client;
    client = null;
    await old?.stop();
  }

  function inTurn(job) {
    changing = changing.then(job, job);
    return changing;
  }

  const restart = () => inTurn(async () => { await stop(); await start(); });

  /** Open a YAML file as a rule file if it is one, and start the server with the first. */
  async function look(document) {
    if (document.languageId === "yaml" && vscode.workspace.getConfiguration("rulespec", document.uri).get("recognise")) {
      const end = Math.min(document.lineCount, LINES);
      const head = document.getText(new vscode.Range(0, 0, end, 0));
      if (isRuleFile(head)) await vscode.languages.setTextDocumentLanguage(document, LANGUAGE); // opens it anew
    }
    if (document.languageId === LANGUAGE) await inTurn(start);
  }

  /** Run `rulespec VERB FILE` on the file in front, in a terminal, without a shell between. */
  async function run(verb) {
    const document = vscode.window.activeTextEditor?.document;
    if (document?.languageId !== LANGUAGE) {
      await vscode.window.showErrorMessage(`\`rulespec ${verb}\` needs a rule file in front: open one, or choose the language “rulespec” for it.`);
      return;
    }
    if (document.isUntitled) {
      await vscode.window.showErrorMessage(`Save the file before \`rulespec ${verb}\`: the command reads it from the disk.`);
      return;
    }
    if (document.isDirty && !(await document.save())) return;
    try {
      const [program, ...args] = words(document);
      const execution = new vscode.ProcessExecution(program, [...args, verb, document.uri.fsPath], { cwd: folder(document) });
      const task = new vscode.Task({ type: "rulespec", verb }, vscode.TaskScope.Workspace, verb, "rulespec", execution, []);
      task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: verb === "play", clear: true, panel: vscode.TaskPanelKind.Dedicated };
      await vscode.tasks.executeTask(task);
    } catch (error) {
      await complain(error instanceof StartError ? error.message : notStarted(["rulespec", verb], error));
    }
  }

  async function activate(context) {
    output = vscode.window.createOutputChannel("rulespec");
    context.subscriptions.push( // the names differ from those of the server's own commands, which the client registers
      output,
      ...["validate", "test", "play"].map((verb) => vscode.commands.registerCommand(`rulespec.${verb}File`, () => run(verb))),
      vscode.commands.registerCommand("rulespec.restartServer", restart),
      vscode.workspace.onDidOpenTextDocument(look),
      vscode.workspace.onDidSaveTextDocument(look), // a new file becomes a rule file while it is written
      vscode.workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration("rulespec.command") && client ? restart() : undefined)),
    );
    await Promise.all(vscode.workspace.textDocuments.map(look));
  }

  return { activate, deactivate: () => inTurn(stop) };
}

module.exports = createExtension();
module.exports.createExtension = createExtension;
