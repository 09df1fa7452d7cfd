// The lobby: choose a game, its house rules, options and players; then links for every seat.
import { html, useEffect, useState } from "./vendor/ui.js";
import { ask } from "./wire.js";
import { keep, kept } from "./kept.js";
import { Diagnostics, SeatLinks, Top } from "./parts.js";

const KINDS = { game: "Games", classic: "Classics", house: "House rules, each with its game" };
const WHO = { human: "a person", far: "bot: far", greedy: "bot: greedy", quick: "bot: quick", random: "bot: random", search: "bot: search" };

export function Lobby() {
  const [shelf, setShelf] = useState(null);
  const [wrong, setWrong] = useState(null);
  const [made, setMade] = useState(null);
  useEffect(() => {
    ask("/api/games").then(setShelf, setWrong);
  }, []);
  return html`
    <${Top} title="rulespec"><a class="button" href="/workshop">Workshop</a></${Top}>
    <main class="page">
      ${wrong && html`<p class="banner" role="alert">${wrong.message}</p>`}
      ${made
        ? html`<${Made} made=${made} again=${() => setMade(null)} />`
        : shelf && html`<${Choose} shelf=${shelf} done=${setMade} /><${Resume} done=${setMade} /><${Recent} />`}
    </main>`;
}

function Choose({ shelf, done }) {
  const last = kept("choice", {});
  const known = (name) => shelf.games.find((game) => game.name === name);
  const [name, setName] = useState(known(last.game) ? last.game : shelf.games[0]?.name);
  const [house, setHouse] = useState([]);
  const [players, setPlayers] = useState(last.players ?? 2);
  const [options, setOptions] = useState({});
  const [seats, setSeats] = useState(last.seats ?? []);
  const [first, setFirst] = useState("");
  const [chance, setChance] = useState("server");
  const [wrong, setWrong] = useState(null);
  const [busy, setBusy] = useState(false);
  const game = known(name);
  if (!game) return html`<p>No games are here.</p>`;
  const layers = house.map(known).filter(Boolean);
  const offered = shelf.games.filter((entry) => entry.kind === "house" && entry.extends === name);
  const numbers = layers.length ? layers.reduce((left, entry) => left.filter((number) => entry.players.includes(number)), layers[0].players) : game.players;
  const number = numbers.includes(players) ? players : numbers[0] ?? game.players[0];
  const asked = new Map([game, ...layers].flatMap((entry) => entry.options.map((option) => [option.name, option])));
  const seat = (player) => seats[player - 1] ?? {};
  const change = (player, part) => {
    const next = [...seats];
    next[player - 1] = { ...seat(player), ...part };
    setSeats(next);
  };
  const choose = (other) => {
    setName(other);
    setHouse([]);
    setOptions({});
    setWrong(null);
  };
  const create = async (event) => {
    event.preventDefault();
    setBusy(true);
    setWrong(null);
    const wanted = Array.from({ length: number }, (_, index) => {
      const { name: who, who: kind } = seat(index + 1);
      return { ...(who?.trim() ? { name: who.trim() } : {}), ...(kind && kind !== "human" ? { who: kind } : {}) };
    });
    const body = { game: name, players: number, seats: wanted, chance };
    if (house.length) body.house = house;
    const chosen = Object.fromEntries(Object.entries(options).filter(([key]) => asked.has(key)));
    if (Object.keys(chosen).length) body.options = chosen;
    if (first) body.first = Number(first);
    try {
      const answer = await ask("/api/tables", body);
      keep("choice", { game: name, players: number, seats });
      remember(answer, game.title);
      done({ ...answer, title: game.title });
    } catch (error) {
      setWrong(error);
    }
    setBusy(false);
  };
  return html`<form class="stackwise" onSubmit=${create}>
    ${Object.entries(KINDS).map(([kind, heading]) => {
      const games = shelf.games.filter((entry) => entry.kind === kind);
      if (!games.length) return null;
      const shown = html`<div class="games" role="group" aria-label=${heading}>
        ${games.map((entry) => html`<button type="button" key=${entry.name} aria-pressed=${entry.name === name} onClick=${() => choose(entry.name)}>
          <b>${entry.title}</b><span class="soft">${entry.players.join(", ")} players</span></button>`)}
      </div>`;
      return kind === "house"
        ? html`<details open=${game.kind === "house"}><summary>${heading} (${games.length})</summary>${shown}</details>`
        : html`<h2>${heading}</h2>${shown}`;
    })}
    <section class="panel stackwise" aria-label="The table">
      <div class="row"><h2>${game.title}</h2><a href=${`/workshop?game=${encodeURIComponent(name)}`}>open in the workshop</a></div>
      ${game.about && html`<p class="soft">${game.about}</p>`}
      ${offered.length > 0 && html`<details><summary>House rules${house.length ? `: ${house.length} chosen` : ""}</summary><div class="stackwise choices">
        ${offered.map((entry) => html`<label key=${entry.name}><input type="checkbox" checked=${house.includes(entry.name)}
          onChange=${() => setHouse(house.includes(entry.name) ? house.filter((other) => other !== entry.name) : [...house, entry.name])} />
          ${entry.title}${entry.about && html` <span class="soft">${entry.about}</span>`}</label>`)}
      </div></details>`}
      <div class="fields">
        <label for="players">Players</label>
        <span><select id="players" value=${number} onChange=${(event) => setPlayers(Number(event.target.value))}>
          ${numbers.map((entry) => html`<option value=${entry} selected=${entry === number}>${entry}</option>`)}</select></span>
        ${[...asked.values()].map((option) => html`
          <label for=${`option-${option.name}`}>${option.text || option.name.replaceAll("_", " ")}</label>
          <span><select id=${`option-${option.name}`} onChange=${(event) => setOptions({ ...options, [option.name]: event.target.value })}>
            ${option.choices.map((choice) => html`<option value=${choice.name} selected=${(options[option.name] ?? option.default) === choice.name}>
              ${choice.text || choice.name.replaceAll("_", " ")}</option>`)}</select></span>`)}
        ${Array.from({ length: number }, (_, index) => index + 1).map((player) => html`
          <label for=${`name-${player}`}>Player ${player}</label>
          <span class="row"><input id=${`name-${player}`} maxlength="30" placeholder=${`Player ${player}`} value=${seat(player).name ?? ""}
              onInput=${(event) => change(player, { name: event.target.value })} />
            <select aria-label=${`who plays player ${player}`} onChange=${(event) => change(player, { who: event.target.value })}>
              ${["human", ...shelf.bots].map((who) => html`<option value=${who} selected=${(seat(player).who ?? "human") === who}>${WHO[who] ?? who}</option>`)}
            </select></span>`)}
        <label for="first">First player</label>
        <span><select id="first" onChange=${(event) => setFirst(event.target.value)}><option value="">as the rules say</option>
          ${Array.from({ length: number }, (_, index) => html`<option value=${index + 1}>player ${index + 1}</option>`)}</select></span>
        <label for="chance">Chance</label>
        <span><select id="chance" onChange=${(event) => setChance(event.target.value)}>
          <option value="server">drawn by the server</option><option value="typed">typed in from a real table</option></select></span>
      </div>
      ${wrong && html`<p class="bad" role="alert">${wrong.message}</p>`}
      ${wrong?.said.diagnostics && html`<${Diagnostics} list=${wrong.said.diagnostics} />`}
      <div><button class="main" disabled=${busy || !numbers.length}>${busy ? "Setting up …" : "Open the table"}</button></div>
    </section>
  </form>`;
}

function remember(answer, title) {
  const tables = kept("tables", []).filter((entry) => entry.table !== answer.table);
  keep("tables", [{ ...answer, title, when: Date.now() }, ...tables].slice(0, 20));
}

function Made({ made, again }) {
  const people = made.seats.filter((seat) => seat.who === "human");
  const mine = [made.host, ...people.map((seat) => seat.key)];
  return html`<section class="panel stackwise">
    <h2>${made.title}: the table is set</h2>
    <div class="row">
      <a class="button" id="all-here" href=${`/table/${made.table}#${mine.join("+")}`}>Play all seats on this device</a>
      ${people.length > 0 && html`<a class="button" id="mine" href=${`/table/${made.table}#${made.host}+${people[0].key}`}>Sit down as ${people[0].name || `player ${people[0].player}`}</a>`}
      <button type="button" onClick=${again}>Another table</button>
    </div>
    <p class="soft">Everyone else opens the link of a seat, or points a phone at its code. Who has the link has the seat: give each to one person.</p>
    <${SeatLinks} table=${made.table} seats=${made.seats} onlooker=${made.onlooker} />
  </section>`;
}

function Resume({ done }) {
  const [wrong, setWrong] = useState(null);
  const read = async (event) => {
    const [file] = event.target.files;
    if (!file) return;
    try {
      const answer = await ask("/api/tables", { record: await file.text() });
      remember(answer, file.name);
      done({ ...answer, title: file.name });
    } catch (error) {
      setWrong(error);
    }
  };
  return html`<details class="panel"><summary>Resume a recorded game</summary>
    <p><label>Record <input type="file" onChange=${read} /></label></p>
    ${wrong && html`<p class="bad" role="alert">${wrong.message}</p>`}</details>`;
}

function Recent() {
  const [tables, setTables] = useState(kept("tables", []));
  if (!tables.length) return null;
  const forget = (table) => {
    const left = tables.filter((entry) => entry.table !== table);
    keep("tables", left);
    setTables(left);
  };
  return html`<section class="panel stackwise"><h2>Tables made here</h2><ul class="list">
    ${tables.map((entry) => html`<li class="row" key=${entry.table}>
      <a href=${`/table/${entry.table}#${[entry.host, ...entry.seats.filter((seat) => seat.who === "human").map((seat) => seat.key)].join("+")}`}>${entry.title}</a>
      <span class="soft">${new Date(entry.when).toLocaleString()}</span>
      <button type="button" class="plain push" onClick=${() => forget(entry.table)} aria-label=${`forget ${entry.title}`}>forget</button></li>`)}
  </ul></section>`;
}

