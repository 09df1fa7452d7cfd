// The editor of the workshop: CodeMirror with diagnostics, completion, hover and formatting by the server.
import {
  EditorState, EditorView, HighlightStyle, autocompletion, bracketMatching, completionKeymap, defaultKeymap, drawSelection, foldGutter, foldKeymap,
  highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, history, historyKeymap, hoverTooltip, indentOnInput, indentUnit, indentWithTab,
  keymap, lineNumbers, lintGutter, lintKeymap, redo, redoDepth, search, searchKeymap, setDiagnostics, syntaxHighlighting, tags, undo, undoDepth, yaml,
} from "./vendor/editor.js";
import { render } from "./vendor/ui.js";
import { markdown } from "./markdown.js";

const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--link)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--good)" },
  { tag: [tags.keyword, tags.labelName, tags.typeName], color: "var(--bad)" },
]);
const LOOK = EditorView.theme({
  "&": { height: "100%", fontSize: "14px", color: "var(--ink)", backgroundColor: "var(--panel)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: "1.45" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)", borderLeftWidth: "2px" },
  ".cm-gutters": { backgroundColor: "var(--panel)", color: "var(--soft)", borderRight: "1px solid var(--rim)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "#8882" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "#6a9cff66" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--edge)", borderRadius: "8px", maxWidth: "460px" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionDetail": { opacity: "0.8" },
  ".hover": { padding: "4px 10px", maxHeight: "300px", overflow: "auto" },
  ".hover p": { margin: "4px 0" },
  ".cm-panels": { backgroundColor: "var(--panel)", color: "var(--ink)" },
});

/** Return the place of line and column (from 1, in letters) in a document. */
export function offset(doc, line, column) {
  if (line > doc.lines) return doc.length;
  const { from, text } = doc.line(Math.max(1, line));
  return from + [...text].slice(0, Math.max(0, column - 1)).join("").length;
}

/** Return line and column (from 1, in letters) of a place in a document. */
export function lineColumn(doc, place) {
  const { from, text, number } = doc.lineAt(place);
  return { line: number, column: [...text.slice(0, place - from)].length + 1 };
}

/**
 * Make an editor in `parent`, within a shadow root: its style sheets are then made by the page, as the content policy wants.
 * `served(what, fields, signal)` asks the server; `changed(text, {grew, own})` hears of each change; `undoes` and `redoes` are what Ctrl+Z and Ctrl+Y do.
 */
export function makeEditor({ parent, text, served, changed, undoes, redoes }) {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: "open" });
  root.replaceChildren();
  let asking = null; // only the last question is of interest
  const complete = async (context) => {
    const word = context.matchBefore(/[\w.]*/);
    if (!context.explicit && !word?.text) return null;
    const doc = context.state.doc;
    try {
      asking?.abort();
      asking = new AbortController();
      const { items, from } = await served("complete", lineColumn(doc, context.pos), asking.signal);
      if (!items.length) return null;
      const { line } = lineColumn(doc, context.pos);
      return {
        from: offset(doc, line, from),
        validFor: /^\w*$/,
        options: items.map((item) => ({
          label: item.label, detail: item.detail, apply: item.insert ?? item.label,
          type: { key: "property", name: "variable", word: "keyword", "built-in": "function", game: "namespace" }[item.kind],
          info: item.text ? () => drawn(item.text) : undefined,
        })),
      };
    } catch {
      return null; // nothing to propose while the server is busy or away
    }
  };
  const hover = hoverTooltip(async (view, place) => {
    try {
      const { text: said, line, column, end_column: end } = await served("hover", lineColumn(view.state.doc, place));
      if (!said) return null;
      return { pos: offset(view.state.doc, line, column), end: offset(view.state.doc, line, end), above: true, create: () => ({ dom: drawn(said) }) };
    } catch {
      return null;
    }
  });
  const listen = EditorView.updateListener.of((update) => {
    if (!update.docChanged) return;
    const own = update.transactions.some((entry) => entry.isUserEvent("undo") || entry.isUserEvent("redo"));
    changed(update.state.doc.toString(), { grew: undoDepth(update.state) > undoDepth(update.startState), own });
  });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(), highlightActiveLineGutter(), highlightSpecialChars(), history(), foldGutter(), drawSelection(), indentOnInput(), indentUnit.of("  "),
        bracketMatching(), highlightActiveLine(), search({ top: true }), yaml(), syntaxHighlighting(COLOURS), LOOK, lintGutter(), hover, listen,
        autocompletion({ override: [complete], activateOnTyping: true }), EditorState.tabSize.of(2),
        EditorView.contentAttributes.of({ "aria-label": "rule file" }),
        keymap.of([
          { key: "Mod-z", run: () => undoes() || true, preventDefault: true }, { key: "Mod-y", mac: "Mod-Shift-z", run: () => redoes() || true, preventDefault: true },
          ...completionKeymap, ...lintKeymap, ...foldKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
        ]),
      ],
    }),
  });
  return {
    view,
    text: () => view.state.doc.toString(),
    undo: () => undo(view),
    redo: () => redo(view),
    depth: () => [undoDepth(view.state), redoDepth(view.state)],
    /** Replace the text, as one change that can be undone. */
    replace(next) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, userEvent: "input.replace" });
    },
    /** Underline what is wrong. */
    show(list) {
      const { doc } = view.state;
      view.dispatch(setDiagnostics(view.state, list.map((entry) => {
        const at = entry.shown ?? entry;
        const from = offset(doc, at.line, at.column);
        const to = Math.max(from, offset(doc, at.end_line ?? at.line, at.end_column ?? at.column));
        const message = [entry.message, entry.why && `why: ${entry.why}`, entry.fix && `fix: ${entry.fix}`].filter(Boolean).join("\n");
        return { from, to: to > from ? to : Math.min(doc.length, from + 1), severity: entry.level === "error" ? "error" : "warning", message, source: entry.code };
      })));
    },
    /** Go to a line and put the cursor there. */
    go(line, column = 1) {
      const place = offset(view.state.doc, line, column);
      view.dispatch({ selection: { anchor: place }, effects: EditorView.scrollIntoView(place, { y: "center" }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}

function drawn(text) {
  const place = document.createElement("div");
  place.className = "hover";
  render(markdown(text), place);
  return place;
}
