// CodeMirror: the parts of it that the workshop uses.
export { EditorState, Compartment, StateEffect, StateField, Transaction } from "@codemirror/state";
export {
  EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, hoverTooltip, highlightSpecialChars,
} from "@codemirror/view";
export { defaultKeymap, history, historyKeymap, undo, redo, undoDepth, redoDepth, indentWithTab } from "@codemirror/commands";
export { yaml } from "@codemirror/lang-yaml";
export { syntaxHighlighting, HighlightStyle, indentOnInput, indentUnit, bracketMatching, foldGutter, foldKeymap } from "@codemirror/language";
export { tags } from "@lezer/highlight";
export { setDiagnostics, lintGutter, lintKeymap, forEachDiagnostic, nextDiagnostic } from "@codemirror/lint";
export { autocompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { searchKeymap, search, highlightSelectionMatches } from "@codemirror/search";
