// Which YAML files are rule files.
"use strict";

const LINES = 200; // of a file that are read; comments may stand before the first key
const VERSION = /^(?:rulespec|"rulespec"|'rulespec')\s*:(?:\s|$)/;

/** Return whether a text has a top-level key `rulespec:` among its first lines. */
function isRuleFile(text) {
  return text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/, LINES).some((line) => VERSION.test(line));
}

module.exports = { isRuleFile, LINES };
