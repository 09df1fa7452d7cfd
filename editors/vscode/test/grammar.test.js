// The grammar, tokenised as VS Code does it, with YAML's grammar under it.
"use strict";

const assert = require("node:assert/strict");
const { readFileSync, readdirSync } = require("node:fs");
const { join } = require("node:path");
const { before, test } = require("node:test");
const { INITIAL, Registry, parseRawGrammar } = require("vscode-textmate");
const oniguruma = require("vscode-oniguruma");

const FILES = {
  "source.rulespec": join(__dirname, "..", "syntaxes", "rulespec.tmLanguage.json"),
  "source.yaml": require.resolve("tm-grammars/grammars/yaml.json"),
};
let grammar;

before(async () => {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")));
  const registry = new Registry({
    onigLib: Promise.resolve({ createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns), createOnigString: (text) => new oniguruma.OnigString(text) }),
    loadGrammar: async (scope) => (FILES[scope] ? parseRawGrammar(readFileSync(FILES[scope], "utf8"), FILES[scope]) : null),
  });
  grammar = await registry.loadGrammar("source.rulespec");
});

/** Return every token of a text with its scopes, except blank ones; the scopes of the whole file and the ends of names are left out. */
function tokens(text) {
  let state = INITIAL;
  return text.split("\n").flatMap((line) => {
    const found = grammar.tokenizeLine(line, state);
    state = found.ruleStack;
    return found.tokens
      .map(({ startIndex, endIndex, scopes }) => [line.slice(startIndex, endIndex), scopes.slice(1).map((scope) => scope.replace(/\.rulespec$/, ""))])
      .filter(([word]) => word.trim());
  });
}

/** Return the innermost scope of each word of interest. */
const kinds = (text) => tokens(text).map(([word, scopes]) => [word.trim(), scopes.at(-1) ?? ""]);

/** Assert that the words of a text have these kinds, in this order; other words may stand between them. */
function assertKinds(text, wanted) {
  const found = kinds(text);
  let at = 0;
  for (const [word, kind] of wanted) {
    const next = found.findIndex((one, index) => index >= at && one[0] === word && one[1] === kind);
    assert.notEqual(next, -1, `${word} as ${kind} in ${JSON.stringify(found)}`);
    at = next + 1;
  }
}

test("expression: words, built-ins, numbers, names, operators", () => {
  assertKinds("  that: if count(board[me, r]) >= 2 then worth[k] else none", [
    ["that", "entity.name.tag"], ["if", "keyword.control"], ["count", "support.function.builtin"], ["board", "variable.other"], ["me", "variable.language"],
    [">=", "keyword.operator"], ["2", "constant.numeric.integer"], ["then", "keyword.control"], ["worth", "variable.other"], ["else", "keyword.control"],
    ["none", "constant.language"],
  ]);
});

test("step: its first word counts only at the start", () => {
  assertKinds("  - draw up to full - count(hedge) from sack to hedge", [
    ["-", "punctuation.definition.block.sequence.item"], ["draw", "keyword.control.step"], ["up to", "keyword.control"], ["full", "variable.other"],
    ["-", "keyword.operator"], ["from", "keyword.control"], ["sack", "variable.other"], ["to", "keyword.control"],
  ]);
  assertKinds("  - score score_of(3) for me", [["score", "keyword.control.step"], ["score_of", "variable.other"], ["for", "keyword.control"]]);
  assertKinds("  most points: score[me]", [["most points", "entity.name.tag"], ["score", "variable.other"]]);
  assertKinds("  add first: [score rows for p, set turn to p]", [["add first", "entity.name.tag"], ["score", "keyword.control.step"], ["set", "keyword.control.step"]]);
});

test("names that begin like words are names", () => {
  for (const [word, kind] of kinds("  that: inner = format and iffy != order")) {
    if (["inner", "format", "iffy", "order"].includes(word)) assert.equal(kind, "variable.other");
  }
});

test("text: words are no code, holes are", () => {
  assertKinds("    text: take {n} from and {count(x)} # note", [
    ["text", "entity.name.tag"], ["take", "string.unquoted.text"], ["{", "punctuation.section.embedded.begin"], ["n", "variable.other"],
    ["}", "punctuation.section.embedded.end"], ["from and", "string.unquoted.text"], ["count", "support.function.builtin"], ["# note", "comment.line.number-sign"],
  ]);
  assertKinds('    else: "{c} was taken, and rests"', [["c", "variable.other"], ["was taken, and rests", "string.quoted.double.text"], ['"', "punctuation.definition.string.end"]]);
  assertKinds("  yours: {that: \"piece(board[r, c]) = 1\", else: there is no man of yours}", [
    ["yours", "entity.name.tag"], ["that", "entity.name.tag"], ["piece", "support.function.builtin"], ["1", "constant.numeric.integer"], ["else", "entity.name.tag"],
    ["there is no man of yours", "string.unquoted.text"], ["}", "punctuation.definition.bracket"],
  ]);
});

test("text: it may go on in deeper lines, and ends there", () => {
  assertKinds("text: all of it\n  if and when\nplayers: 2", [["all of it", "string.unquoted.text"], ["if and when", "string.unquoted.text"], ["players", "keyword.other.section"], ["2", "constant.numeric.integer"]]);
});

test("else with steps is no text", () => {
  assertKinds("    else:\n      - set turn to me", [["else", "entity.name.tag"], ["set", "keyword.control.step"], ["turn", "variable.other"], ["me", "variable.language"]]);
  assertKinds("    else: [set turn to me]", [["else", "entity.name.tag"], ["set", "keyword.control.step"]]);
});

test("an apostrophe within a word begins no text", () => {
  assertKinds("  it's a line's end:\n    that: 1\nlabels: the king's {x}\nplay: 2", [["it's a line's end", "entity.name.tag"], ["that", "entity.name.tag"], ["play", "keyword.other.section"]]);
});

test("sections stand at the margin", () => {
  assertKinds("moves:\n  moves: 1", [["moves", "keyword.other.section"], ["moves", "entity.name.tag"]]);
});

test("block: lines of an expression or a position, and its end", () => {
  assertKinds("  points: |\n    if empty(x)\n    then 1\n  text: if", [
    ["|", "keyword.control.flow.block-scalar"], ["if", "keyword.control"], ["empty", "support.function.builtin"], ["then", "keyword.control"], ["if", "string.unquoted.text"],
  ]);
});

test("comment: only after a blank", () => {
  assertKinds("  cost: 2 # if it rains", [["2", "constant.numeric.integer"], ["# if it rains", "comment.line.number-sign"]]);
  assert.deepEqual(kinds("# rulespec: 1"), [["# rulespec: 1", "comment.line.number-sign"]]);
});

test("YAML that rule files do not use is YAML's", () => {
  assert.ok(tokens("%YAML 1.2").some(([, scopes]) => scopes.some((scope) => scope.endsWith(".yaml"))));
});

test("shipped games: every key is seen, no line is lost in a text", () => {
  const folder = join(__dirname, "..", "..", "..", "games");
  const files = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".yaml"));
  assert.ok(files.length > 20);
  for (const name of files) {
    const text = readFileSync(join(folder, name), "utf8");
    const margin = text.split("\n").filter((line) => /^[a-z]/.test(line)).map((line) => line.split(":")[0]);
    const found = kinds(text).filter(([, kind]) => kind === "keyword.other.section").map(([word]) => word);
    assert.deepEqual(found, margin.filter((key) => !["game", "text"].includes(key)), name); // these two begin a text
  }
});
