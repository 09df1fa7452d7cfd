// A little Markdown, as elements: headings, lists, tables, code, emphasis. Texts are never read as HTML.
import { h, html } from "./vendor/ui.js";

/** Return the elements of one line of text. */
export function inline(text) {
  const out = [];
  const rule = /(`+)([^`]|[^`].*?[^`])\1(?!`)|\*\*(.+?)\*\*|(?<![\w*])[*_](?![\s*_])(.+?)[*_](?!\w)|\[([^\]]+)\]\(([^)\s]+)\)|\\([\\`*_[\]()#|<>.~-])|~~(.+?)~~/g;
  let at = 0;
  for (const found of text.matchAll(rule)) {
    if (found.index > at) out.push(text.slice(at, found.index));
    if (found[2] !== undefined) out.push(html`<code>${found[2]}</code>`);
    else if (found[3] !== undefined) out.push(html`<b>${inline(found[3])}</b>`);
    else if (found[4] !== undefined) out.push(html`<em>${inline(found[4])}</em>`);
    else if (found[5] !== undefined) out.push(inline(found[5])); // links within a rulebook lead nowhere here
    else if (found[8] !== undefined) out.push(html`<del>${inline(found[8])}</del>`);
    else out.push(found[7]);
    at = found.index + found[0].length;
  }
  if (at < text.length) out.push(text.slice(at));
  return out;
}

/** Return a list; items that stand further in than the one before are a list within it. */
function listed(items) {
  const own = [];
  for (const item of items) {
    if (own.length && item.depth > own[0].depth) own.at(-1).inner.push(item);
    else own.push({ ...item, inner: [] });
  }
  return html`<ul>${own.map((item) => html`<li>${inline(item.text)}${item.inner.length > 0 && listed(item.inner)}</li>`)}</ul>`;
}

/** Return the elements of a text. Headings begin at level 3: they stand below those of the page. */
export function markdown(text) {
  const out = [];
  const lines = text.split("\n");
  let at = 0;
  while (at < lines.length) {
    const line = lines[at];
    if (/^\s*```/.test(line)) {
      const code = [];
      for (at += 1; at < lines.length && !/^\s*```/.test(lines[at]); at += 1) code.push(lines[at]);
      at += 1;
      out.push(html`<pre>${code.join("\n")}</pre>`);
    } else if (/^#{1,6} /.test(line)) {
      const level = Math.min(6, Math.max(3, line.indexOf(" ") + 1));
      out.push(h(`h${level}`, {}, inline(line.replace(/^#+ /, "").replace(/\s*\{#.*\}$/, ""))));
      at += 1;
    } else if (/^\s*([-*]|\d+\.) /.test(line)) {
      const items = [];
      for (; at < lines.length && (/^\s*([-*]|\d+\.) /.test(lines[at]) || /^\s+\S/.test(lines[at])); at += 1) {
        if (/^\s*([-*]|\d+\.) /.test(lines[at])) items.push({ depth: lines[at].search(/\S/), text: lines[at].replace(/^\s*([-*]|\d+\.) /, "") });
        else items[items.length - 1].text += ` ${lines[at].trim()}`;
      }
      out.push(listed(items));
    } else if (/^\s*\|/.test(line)) {
      const rows = [];
      for (; at < lines.length && /^\s*\|/.test(lines[at]); at += 1) {
        if (!/^[\s|:-]+$/.test(lines[at])) rows.push(lines[at].trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim()));
      }
      out.push(html`<table class="ledger"><tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`)}</tbody></table>`);
    } else if (!line.trim()) at += 1;
    else {
      const words = [];
      for (; at < lines.length && lines[at].trim() && !/^(\s*([-*]|\d+\.) |#{1,6} |\s*\||\s*```)/.test(lines[at]); at += 1) words.push(lines[at].trim());
      out.push(html`<p>${inline(words.join(" "))}</p>`);
    }
  }
  return out;
}
