// How rulespec is started, and what is said when it cannot be.
"use strict";

const { spawn } = require("node:child_process");

const INSTALL = "pip install 'rulespec[lsp]'";
const MOST_SAID = 2000; // letters of a server's last words that are kept

/** A server that did not start; its message says what to do. */
class StartError extends Error {}

/** Return program and arguments; `${workspaceFolder}` stands for the folder. */
function commandLine(setting, folder) {
  const words = Array.isArray(setting) ? setting : [];
  if (!words.length || words.some((word) => typeof word !== "string" || !word)) {
    throw new StartError("The setting `rulespec.command` is a list of words, such as [\"rulespec\"] or [\"python3\", \"-m\", \"rulespec\"].");
  }
  if (!folder && words.some((word) => word.includes("${workspaceFolder}"))) {
    throw new StartError("The setting `rulespec.command` names ${workspaceFolder}, but no folder is open.");
  }
  return words.map((word) => word.replaceAll("${workspaceFolder}", folder ?? ""));
}

/** Return the sentence for a program that is not there or cannot be run. */
function notStarted(words, error) {
  const program = `\`${words.join(" ")}\``;
  if (error.code === "ENOENT") {
    return `${program} was not found. Install it with \`${INSTALL}\`, or name it in the setting \`rulespec.command\`.`;
  }
  return `${program} cannot be started: ${error.message}. The setting \`rulespec.command\` names the program.`;
}

/** Return the sentence for a server that ended before it answered; a missing package says itself what to install. */
function endedEarly(words, code, said) {
  const last = said.trim().replace(/^Error: /, "");
  return `\`${words.join(" ")}\` ended at once${code === null ? "" : ` with ${code}`}${last ? `: ${last}` : ""}. \`${INSTALL}\` installs what it needs.`;
}

/** Start the server. The promise gives its process, or is refused with a StartError; `ended` hears later that it ended, and with what words. */
function startServer(words, folder, ended, start = spawn) {
  return new Promise((resolve, reject) => {
    const whole = [...words, "lsp"];
    const [program, ...args] = whole;
    const child = start(program, args, { cwd: folder, stdio: "pipe" });
    let said = "";
    child.once("error", (error) => reject(new StartError(notStarted(words, error))));
    child.once("spawn", () => resolve(child));
    child.stderr?.on("data", (data) => { said = (said + data).slice(-MOST_SAID); });
    child.once("close", (code) => ended(endedEarly(whole, code, said)));
  });
}

module.exports = { INSTALL, StartError, commandLine, notStarted, endedEarly, startServer };
