// Small parts that several pages use.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { ask } from "./wire.js";
import { kept, nextTheme } from "./kept.js";

/** The head of a page. */
export function Top({ title, note, bare, children }) {
  const [theme, setTheme] = useState(kept("theme", "system"));
  useEffect(() => {
    document.title = title === "rulespec" ? title : `${title} – rulespec`;
  }, [title]);
  return html`<a class="skip" href="#inside">skip to the content</a>
    <header class="top"><h1>${title}</h1>${note && html`<span class="soft">${note}</span>`}
      <nav aria-label="page">
        ${title !== "rulespec" && !bare && html`<a class="button" href="/">Lobby</a>`}
        ${children}
        <button type="button" onClick=${() => setTheme(nextTheme())} aria-label=${`look: ${theme}; change it`} title=${`look: ${theme}`}>${{ system: "◐", light: "☀", dark: "☾" }[theme]}</button>
      </nav></header><span id="inside" tabindex="-1"></span>`;
}

/** Links and codes for the seats of a table; a seat without key has none. */
export function SeatLinks({ table, seats, onlooker }) {
  const [origins, setOrigins] = useState([location.origin]);
  useEffect(() => {
    ask("/api/address").then(({ addresses }) => addresses?.length && setOrigins([...new Set([...addresses, location.origin])]), () => {});
  }, []);
  const [origin, setOrigin] = useState(null);
  const base = origin ?? origins[0];
  const links = [
    ...seats.filter((seat) => seat.key && (seat.who ?? "human") === "human").map((seat) => [seat.name || `Player ${seat.player}`, seat.key]),
    ...(onlooker ? [["Onlookers", onlooker]] : []),
  ];
  return html`<div class="seats">
    ${origins.length > 1 && html`<label>Address for other devices <select onChange=${(event) => setOrigin(event.target.value)}>
      ${origins.map((entry) => html`<option value=${entry} selected=${entry === base}>${entry}</option>`)}</select></label>`}
    ${links.map(([name, key]) => html`<${SeatLink} key=${key} name=${name} link=${`${base}/table/${table}#${key}`} />`)}
  </div>`;
}

function SeatLink({ name, link }) {
  const [shown, setShown] = useState(false);
  const [copied, setCopied] = useState(false);
  const copy = () => navigator.clipboard?.writeText(link).then(() => setCopied(true), () => setCopied(false));
  return html`<div class="seat panel">
    <div><b>${name}</b><br /><a class="link" href=${link}>${link}</a></div>
    <div class="row"><button type="button" onClick=${copy} aria-label=${`copy the link of ${name}`}>${copied ? "copied" : "Copy"}</button>
      <button type="button" aria-expanded=${shown} onClick=${() => setShown(!shown)} aria-label=${`code of ${name}`}>QR</button></div>
    ${shown && html`<${Code} link=${link} name=${name} />`}
  </div>`;
}

function Code({ link, name }) {
  const place = useRef(null);
  const [wrong, setWrong] = useState(null);
  useEffect(() => {
    let left = false;
    ask("/api/qr", { link }).then(({ svg }) => {
      if (left || !place.current) return;
      const drawn = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      place.current.replaceChildren(document.importNode(drawn, true));
    }, (error) => setWrong(error.message));
    return () => {
      left = true;
    };
  }, [link]);
  return wrong ? html`<p class="bad">${wrong}</p>` : html`<div class="qr" ref=${place} role="img" aria-label=${`code with the link of ${name}`}></div>`;
}

/** A panel at the side, closed by its button or Escape. */
export function Drawer({ title, close, children }) {
  const place = useRef(null);
  useEffect(() => {
    const before = document.activeElement;
    place.current?.focus();
    return () => before?.focus?.();
  }, []);
  const keys = (event) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
  };
  return html`<aside class="drawer" role="dialog" aria-label=${title} onKeyDown=${keys}>
    <div class="top"><h2 tabindex="-1" ref=${place}>${title}</h2><nav aria-label=${title}><button type="button" onClick=${close}>Close</button></nav></div>
    <div class="inside" tabindex="0">${children}</div></aside>`;
}

/** What is wrong with a rule file. */
export function Diagnostics({ list, go }) {
  return html`<ul class="list">${list.map((entry) => html`<li>
    ${go
      ? html`<button type="button" onClick=${() => go(entry)}><${Mistake} entry=${entry} /></button>`
      : html`<${Mistake} entry=${entry} />`}</li>`)}</ul>`;
}

/** Return a text with what stands between backticks as code. */
export function words(text) {
  return text.split("`").map((part, number) => (number % 2 ? html`<code>${part}</code>` : part));
}

function Mistake({ entry }) {
  return html`<span><b class=${entry.level === "error" ? "bad" : "soft"}>${entry.level} in line ${entry.line}</b>: ${words(entry.message)}
    ${entry.why && html`<br /><span class="soft">why: ${words(entry.why)}</span>`}${entry.fix && html`<br /><span class="soft">fix: ${words(entry.fix)}</span>`}</span>`;
}

/** Save a text as a file. */
export function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
