// The workshop: the rule file on the left, the game it makes on the right, live.
import { html, useEffect, useRef, useState } from "./vendor/ui.js";
import { makeEditor } from "./editor.js";
import { Diagnostics, Top, download, words } from "./parts.js";
import { Refused, ask } from "./wire.js";
import { keep, kept } from "./kept.js";
import { markdown } from "./markdown.js";
import { packed, unpacked } from "./link.js";
import { Table } from "./table.js";
import { useTable } from "./store.js";

const PAUSE = 350; // milliseconds of quiet after a key before the server is asked
const TABS = [["game", "Game"], ["diff", "What differs"], ["examples", "Examples"], ["rulebook", "Rulebook"], ["balance", "Balance"]];

/** Return the text of a house rule that changes nothing yet. */
function blank(game) {
  return `rulespec: 1\nextends: ${game}\ngame: House rule on ${game}\n`;
}

/** Return what the address asks for: a text in the fragment, a game, or what was edited last. */
async function wanted() {
  if (location.hash.startsWith("#text=")) {
    const shared = JSON.parse(await unpacked(location.hash.slice(6)));
    return { name: String(shared.name ?? "rules.yaml"), text: String(shared.text ?? "") };
  }
  const query = new URLSearchParams(location.search);
  const game = query.get("game") ?? query.get("house");
  if (game && query.has("house")) return { name: "house.yaml", text: blank(game) };
  if (game) {
    const { text } = await ask(`/api/games/${game.split("/").map(encodeURIComponent).join("/")}`);
    return { name: `${game.split("/").at(-1)}.yaml`, text };
  }
  return kept("draft", null);
}

export function Workshop() {
  const [shelf, setShelf] = useState([]);
  const [file, setFile] = useState(null); // {name, text} that was opened; the editor has the present text
  const [wrong, setWrong] = useState(null);
  useEffect(() => {
    ask("/api/games").then(({ games }) => setShelf(games), setWrong);
    wanted().then((found) => found && setFile(found), () => setWrong(new Refused({ code: "bad-link", message: "this link holds no rule text" })));
  }, []);
  const open = async (event) => {
    const [chosen] = event.target.files;
    if (chosen) setFile({ name: chosen.name, text: await chosen.text() });
    event.target.value = "";
  };
  const start = (what) => (event) => {
    const game = event.target.value;
    event.target.value = "";
    if (game) location.assign(`/workshop?${what}=${encodeURIComponent(game)}`);
  };
  const choose = (what, text) => html`<select aria-label=${text} onChange=${start(what)}><option value="">${text}</option>
    ${shelf.filter((game) => what === "game" || game.kind !== "house").map((game) => html`<option value=${game.name}>${game.title}</option>`)}</select>`;
  const opening = html`${choose("game", "Open a game …")}${choose("house", "House rule on …")}
    <label class="button">Open a file<input class="unseen" type="file" accept=".yaml,.yml" onChange=${open} /></label>`;
  if (!file) {
    return html`<${Top} title="Workshop" /><main class="page"><h2>What do you want to change?</h2>
      ${wrong && html`<p class="banner" role="alert">${wrong.message}</p>`}
      <p class="soft">Open a shipped game, or write a house rule on one: a few lines that change it. The game beside the text follows every change.</p>
      <div class="row">${opening}</div></main>`;
  }
  return html`<${Desk} key=${`${file.name}\n${file.text}`} file=${file} opening=${opening} />`;
}

function Desk({ file, opening }) {
  const place = useRef(null);
  const editor = useRef(null);
  const [text, setText] = useState(file.text);
  const [name, setName] = useState(file.name);
  const [checked, setChecked] = useState(null); // the answer to the present text
  const [good, setGood] = useState(null); // {text, players, options} of the last good rules
  const [players, setPlayers] = useState(null);
  const [tab, setTab] = useState("game");
  const [said, setSaid] = useState("");
  const [stopped, setStopped] = useState(null);
  const [made, setMade] = useState(null); // the table: {table, host, seats}
  const [results, setResults] = useState({});
  const [journal, setJournal] = useState({ done: [], undone: [] });
  const stream = useRef(`desk-${Math.random().toString(36).slice(2)}`);
  const handle = useRef(null);

  const names = good ? { known: good.text } : {}; // the last good rules tell the names while the text has mistakes
  const served = (what, fields = {}, signal) => ask(`/api/workshop/${what}`, { text: editor.current.text(), name, stream: stream.current, ...fields }, { signal });
  const servedNow = useRef(served);
  servedNow.current = (what, fields, signal) => served(what, { ...fields, ...names }, signal);

  // One journal for the text and the moves: undo takes back what was done last, whichever it was.
  const note = (entry) => setJournal((old) => ({ done: [...old.done, entry], undone: [] }));
  const keys = made ? [made.host, ...made.seats.map((seat) => seat.key)] : [];
  const session = useTable(made?.table, keys);
  const journalNow = useRef(journal);
  journalNow.current = journal;
  const sessionNow = useRef(session);
  sessionNow.current = session;
  const undo = async () => {
    const { done, undone } = journalNow.current;
    const last = done.at(-1);
    if (!last) return;
    if (last.what === "text") editor.current.undo();
    else {
      const { known, send } = sessionNow.current;
      try {
        const answer = await send("undo", { version: known.version, seat: known.you.look ?? last.seat, to: last.made });
        let { version } = answer;
        if (!answer.done) for (const seat of answer.needs) version = (await send("agree", { version, seat, yes: true })).version;
      } catch (error) {
        setSaid(error.message);
        return;
      }
    }
    setJournal({ done: done.slice(0, -1), undone: [...undone, last] });
  };
  const redo = async () => {
    const { done, undone } = journalNow.current;
    const next = undone.at(-1);
    if (!next) return;
    if (next.what === "text") editor.current.redo();
    else {
      const { known, send } = sessionNow.current;
      try {
        await send("play", { version: known.version, seat: next.seat, move: next.move });
      } catch (error) {
        setSaid(error.message);
        return;
      }
    }
    setJournal({ done: [...done, next], undone: undone.slice(0, -1) });
  };
  const undoes = useRef(undo);
  undoes.current = undo;
  const redoes = useRef(redo);
  redoes.current = redo;

  useEffect(() => {
    editor.current = makeEditor({
      parent: place.current,
      text: file.text,
      served: (...asked) => servedNow.current(...asked),
      changed: (next, { grew, own }) => {
        setText(next);
        if (grew && !own) note({ what: "text" });
      },
      undoes: () => undoes.current(),
      redoes: () => redoes.current(),
    });
    return () => editor.current.close();
  }, []);

  // the text is checked after each pause; the last good rules stay
  useEffect(() => {
    keep("draft", { name, text });
    const abort = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const answer = await ask("/api/workshop/check", { text, name, stream: stream.current }, { signal: abort.signal });
        setChecked({ ...answer, text });
        editor.current.show(answer.diagnostics);
        if (answer.good) setGood((old) => ({ text, players: answer.players, options: answer.options, title: answer.title, before: old?.text }));
      } catch (error) {
        if (error.name !== "AbortError" && error.code !== "superseded") setSaid(error.message);
      }
    }, checked ? PAUSE : 0);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, name]);

  // the game goes on under the new rules
  const number = good ? (good.players.includes(players) ? players : good.players[0]) : null;
  const making = useRef(null); // the number of players of the table that is being made
  useEffect(() => {
    if (!good || made || making.current === number) return;
    making.current = number;
    const seats = Array.from({ length: number }, () => ({}));
    const done = (then) => (answer) => {
      if (making.current !== number) return; // another number was chosen meanwhile
      making.current = null;
      then(answer);
    };
    ask("/api/tables", { rules: { name, text: good.text }, players: number, seats }).then(done(setMade), done((error) => setSaid(error.message)));
  }, [good, number, made]);
  const sent = useRef(null);
  const lay = async (cut) => {
    const { known, send } = sessionNow.current;
    if (!known || !good) return;
    try {
      const answer = await send("rules", { version: known.version, text: good.text, name, ...(cut ? { cut: true } : {}) });
      setStopped(answer.good || cut ? null : answer);
      setSaid(answer.good ? "The game goes on under the new rules." : "");
    } catch (error) {
      if (error.code === "out-of-step") sent.current = null;
      else setSaid(error.message);
    }
  };
  const line = session.line.how;
  useEffect(() => {
    if (!good || !session.known || line !== "open") return;
    if (sent.current === null) sent.current = good.before === undefined ? good.text : null;
    if (sent.current === good.text) return;
    sent.current = good.text;
    lay(false);
  }, [good, session.known?.version, line]);

  // what the other tabs show is asked for when they are open
  useEffect(() => {
    if (!good || tab === "game") return undefined;
    const abort = new AbortController();
    const fields = { text: good.text, name, stream: stream.current, ...(tab === "rulebook" || tab === "balance" ? { players: number } : {}) };
    const stop = () => {
      abort.abort();
      setResults((old) => ({ ...old, [tab]: { ...old[tab], busy: false } }));
    };
    setResults((old) => ({ ...old, [tab]: { ...old[tab], busy: true, wrong: null, stop } }));
    ask(`/api/workshop/${tab}`, fields, { signal: abort.signal }).then(
      (answer) => setResults((old) => ({ ...old, [tab]: { answer } })),
      (error) => error.name !== "AbortError" && error.code !== "superseded" && setResults((old) => ({ ...old, [tab]: { ...old[tab], busy: false, wrong: error } })),
    );
    return () => abort.abort();
  }, [good, tab, number]);

  const format = async () => {
    try {
      const { text: next } = await served("format");
      if (next === null) setSaid("the text cannot be formatted as long as it has mistakes");
      else if (next !== editor.current.text()) editor.current.replace(next);
    } catch (error) {
      setSaid(error.message);
    }
  };
  const save = async () => {
    const now = editor.current.text();
    if (!globalThis.showSaveFilePicker) {
      download(name, now);
      return;
    }
    try {
      handle.current ??= await globalThis.showSaveFilePicker({ suggestedName: name, types: [{ description: "rule file", accept: { "text/yaml": [".yaml", ".yml"] } }] });
      const stream_ = await handle.current.createWritable();
      await stream_.write(now);
      await stream_.close();
      setSaid(`saved as ${handle.current.name}`);
    } catch (error) {
      if (error.name !== "AbortError") setSaid(`not saved: ${error.message}`);
    }
  };
  const share = async () => {
    const link = `${location.origin}/workshop#text=${await packed(JSON.stringify({ name, text: editor.current.text() }))}`;
    history.replaceState(null, "", link);
    let copied = false;
    try {
      await navigator.clipboard.writeText(link);
      copied = true;
    } catch {
      // not allowed: the link is in the address bar all the same
    }
    setSaid(`${copied ? "the link is copied" : "the link is in the address bar"}: ${link.length} characters; the text is in the link itself`);
  };
  const errors = checked?.diagnostics.filter((entry) => entry.level === "error").length ?? 0;
  const state = !checked ? "checking …" : errors ? `${errors} ${errors === 1 ? "mistake" : "mistakes"}${good ? "; the game beside follows the last good rules" : ""}` : "good";
  return html`<div class="workshop">
    <${Top} title=${good?.title ? `Workshop: ${good.title}` : "Workshop"}>${opening}</${Top}>
    <main>
      <section class="left" aria-label="rules">
        <div class="row"><label class="unseen" for="file-name">file name</label><input id="file-name" value=${name} onChange=${(event) => setName(event.target.value.trim() || name)} />
          <button type="button" onClick=${undo} disabled=${!journal.done.length}>Undo</button><button type="button" onClick=${redo} disabled=${!journal.undone.length}>Redo</button>
          <button type="button" onClick=${format}>Format</button><button type="button" onClick=${save}>Save</button><button type="button" onClick=${share}>Share</button></div>
        <div class="editor"><div ref=${place}></div></div>
        <div role="status" class=${`state ${errors ? "bad" : "soft"}`} data-good=${checked ? String(checked.good && checked.text === text) : ""}>${state}</div>
        ${checked?.diagnostics.length > 0 && html`<div class="problems panel" tabindex="0" role="region" aria-label="mistakes"><${Diagnostics} list=${checked.diagnostics} go=${(entry) => { const at = entry.shown ?? entry; editor.current.go(at.line, at.column); }} /></div>`}
      </section>
      <section class="right" aria-label="the game">
        <div class="row"><div class="tabs" role="tablist">${TABS.map(([key, title]) => html`<button type="button" role="tab" id=${`tab-${key}`} aria-selected=${tab === key} aria-controls="shown" onClick=${() => setTab(key)}>${title}</button>`)}</div>
          ${good?.players.length > 1 && html`<label>Players <select onChange=${(event) => { setPlayers(Number(event.target.value)); setMade(null); setStopped(null); sent.current = null; setJournal((old) => ({ done: old.done.filter((entry) => entry.what === "text"), undone: [] })); }}>
            ${good.players.map((entry) => html`<option selected=${entry === number}>${entry}</option>`)}</select></label>`}
          ${said && html`<span class="soft" role="status">${said}</span>`}</div>
        ${stopped && html`<div class="banner calm" role="status"><span>Under the new rules the game cannot come this far: ${stopped.made} of ${stopped.decisions} decisions can be made.
          ${stopped.stopped && html` Decision ${stopped.stopped.number}, <code>${stopped.stopped.move}</code>: ${stopped.stopped.message}`}</span>
          <button type="button" class="main" onClick=${() => lay(true)}>Go on from decision ${stopped.made}</button></div>`}
        <div id="shown" role="tabpanel" aria-labelledby=${`tab-${tab}`} class=${`shown ${tab}`} tabindex=${tab === "game" ? -1 : 0}>
          ${tab === "game" && (made ? html`<div class="table embedded"><${Table} session=${session} table=${made.table} keys=${keys} embedded heard=${(entry) => note({ what: "move", ...entry })} /></div>`
            : html`<p class="soft">${errors ? "The game appears here as soon as the rules are good." : "Setting up …"}</p>`)}
          ${tab === "diff" && html`<${Result} of=${results.diff}>${(answer) => (answer.same ? html`<p>Nothing differs.</p>` : html`<pre class="report">${answer.text}</pre>`)}</${Result}>`}
          ${tab === "examples" && html`<${Result} of=${results.examples}>${(answer) => html`<${Examples} list=${answer.examples} go=${(at) => editor.current.go(at)} name=${name} />`}</${Result}>`}
          ${tab === "rulebook" && html`<${Result} of=${results.rulebook}>${(answer) => html`${answer.passages.length ? answer.passages.map((entry) => html`<article class="panel"><h3>${entry.heading} <span class="tag">${entry.changed}</span></h3>${markdown(entry.text.replace(/^#+ .*\n/, ""))}</article>`) : html`<p>No passage differs.</p>`}
            <p><button type="button" onClick=${() => download("rulebook.html", answer.html)}>Save the whole rulebook</button></p>`}</${Result}>`}
          ${tab === "balance" && html`<${Result} of=${results.balance} at="bots play both rules for some seconds …" stops>${(answer) => html`<${Balance} found=${answer} />`}</${Result}>`}
        </div>
      </section>
    </main></div>`;
}

/** What the server answered, or that it is at it; the last answer stays until the next. */
function Result({ of, at = "working …", stops, children }) {
  const show = Array.isArray(children) ? children[0] : children;
  return html`<div class="stackwise">${of?.busy && html`<p class="row"><span class="soft" role="status">${at}</span>${stops && html`<button type="button" onClick=${of.stop}>Stop</button>`}</p>`}${of?.wrong && html`<p class="bad" role="alert">${of.wrong.message}</p>`}${of?.answer && show(of.answer)}</div>`;
}

/** What some seconds of games say: sentences, a table of measures, and what to believe of them. */
function Balance({ found }) {
  const [first, ...columns] = found.columns;
  return html`<p><b>${found.games} ${found.against ? "pairs of games" : "games"}</b>, ${found.players} players, bots: ${found.bot}</p>
    ${found.sentences.length > 0 && html`<ul class="told">${found.sentences.map((text) => html`<li>${text}</li>`)}</ul>`}
    ${found.rows.length > 0 && html`<div class="wide" tabindex="0" role="region" aria-label="measures"><table class="measures"><thead><tr><td>${first}</td>${columns.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
      <tbody>${found.rows.map(([label, ...cells]) => html`<tr><th scope="row">${label}</th>${cells.map((text) => html`<td>${text}</td>`)}</tr>`)}</tbody></table></div>`}
    <p class="soft">${found.doubts.join(" ")}</p>`;
}

// an example that the text changes is expected to come out differently: no mistake, and worth a look
const ENDS = { bad: "does not hold", changed: "comes out differently", good: "holds" };

/** Return how an example went. */
function endOf(entry) {
  return !entry.good ? "bad" : entry.changed ? "changed" : "good";
}

function Examples({ list, go, name }) {
  const by = Object.fromEntries(Object.keys(ENDS).map((end) => [end, list.filter((entry) => endOf(entry) === end)]));
  const { bad, changed } = by;
  return html`<p>${list.length} examples: ${bad.length > 0 && html`<b class="bad">${bad.length} ${bad.length === 1 ? "does" : "do"} not hold</b>, `}
      ${changed.length > 0 && html`<b>${changed.length} ${changed.length === 1 ? "comes" : "come"} out differently by what you changed</b>, `}
      <b class="good">${bad.length || changed.length ? `${by.good.length} hold` : "all hold"}</b></p>
    <ul class="list">${Object.values(by).flat().map((entry) => html`<li class="panel"><b class=${endOf(entry)}>${ENDS[endOf(entry)]}</b>: ${entry.name}
      ${entry.file === name && html` <button type="button" onClick=${() => go(entry.line)}>line ${entry.line}</button>`}
      ${entry.problems.map((problem) => html`<br /><span class=${entry.good ? "soft" : "bad"}>${words(problem)}</span>`)}</li>`)}</ul>`;
}
