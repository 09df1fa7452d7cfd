// A table: the board drawn from the scene, picking, and all that people do around it.
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./vendor/ui.js";
import { Block, nearest, targetAt, whereIs } from "./board.js";
import { Drawer, SeatLinks, Top, download } from "./parts.js";
import { BETWEEN, planWide, unitNarrow } from "./room.js";
import { Patterns, Piece, Sign } from "./shapes.js";
import { choices, picked, touched } from "./pick.js";
import { clickable, cut, nameOf, placesOf, plainText } from "./scene.js";
import { ask } from "./wire.js";
import { keep, kept } from "./kept.js";
import { useTable } from "./store.js";

const NARROW = 700;
const MANY = 8; // buttons; more are a list

/** The page of a table: keys stand in the fragment. */
export function TablePage({ id }) {
  const [keys, setKeys] = useState(() => location.hash.slice(1).split("+").filter(Boolean));
  const session = useTable(id, keys);
  const renewed = (old, fresh) => {
    const next = keys.map((key) => (key === old ? fresh : key));
    history.replaceState(null, "", `#${next.join("+")}`);
    setKeys(next);
  };
  return html`<div class="table"><${Table} session=${session} table=${id} keys=${keys} renewed=${renewed} /></div>`;
}

/** Return how a player is called. */
function called(known, player) {
  const seat = known.seats.find((entry) => entry.player === player);
  return seat?.name && seat.name !== `player ${player}` ? seat.name : `Player ${player}`;
}

/** The text of a move, its members with a colour as their signs. */
function MoveText({ text, kinds }) {
  return text.map((part) => {
    if (typeof part === "string") return part;
    const kind = kinds[part.kind];
    return kind ? html`<${Sign} kind=${kind} kinds=${kinds} />` : part.text;
  });
}

/** A table: `session` follows it; `embedded` leaves out the head of the page. */
export function Table({ session, table, keys, renewed, embedded, heard }) {
  const { known, line, send } = session;
  const [picks, setPicks] = useState(new Map());
  const [busy, setBusy] = useState(null); // the move that was sent and not yet answered
  const [note, setNote] = useState(null);
  const [drawer, setDrawer] = useState(null);
  const [past, setPast] = useState(null);
  const [hint, setHint] = useState(null);
  const [veil, setVeil] = useState(null);
  const [settings, setSettings] = useState(() => ({ quick: false, screens: "needed", ...kept("settings", {}) }));
  const main = useRef(null);
  const lastAt = useRef(null);
  const byKeys = useRef(false);
  const bar = useRef(null);

  // what depended on the position is forgotten with it
  const version = known?.version;
  useEffect(() => {
    setPicks(new Map());
    setNote(null);
    setHint(null);
    setBusy(null);
  }, [version, known?.you.look]);

  const scene = past?.scene ?? known?.scene;
  const places = useMemo(() => (scene ? placesOf(scene) : new Map()), [scene]);
  const moves = useMemo(() => (scene && !past ? clickable(scene.moves ?? [], places) : []), [scene, places, past]);
  const now = useMemo(() => choices(moves, picks), [moves, picks]);
  const seat = known?.waiting === "chance" ? 0 : known?.you.look;
  const open = line.how === "open" && !busy;

  const say = (text, at, about) => setNote({ text, ...(at ?? { x: innerWidth / 2, y: innerHeight - 120 }), about });
  const tell = (error) => {
    if (error.code === "out-of-step") return; // the news is on its way
    const said = error.said ?? {};
    const reasons = (said.objections ?? []).map((entry) => entry.text);
    say(reasons.length ? `${error.message}: ${reasons.join("; ")}` : error.message, lastAt.current);
  };

  const play = async (move) => {
    if (!open) return;
    setBusy(move);
    setNote(null);
    const fields = { version, seat, move: move.do };
    const last = [...picks.keys()].at(-1);
    if (last) fields.at = last;
    try {
      await send("play", fields);
      heard?.({ move: move.do, seat, made: known.made });
    } catch (error) {
      setBusy(null);
      tell(error);
    }
  };

  const pick = (id) => {
    if (!open || !moves.length) return;
    setNote(null);
    const next = picked(moves, picks, id);
    setPicks(next);
    const after = choices(moves, next);
    if (settings.quick && after.left.length === 1 && after.buttons.length === 1 && next.size) play(after.buttons[0]);
  };

  const why = async (id, at) => {
    if (!open || known?.to_move !== known?.you.look || known.waiting !== "player" || past) return;
    const things = [...picks.keys(), id];
    try {
      const { refusals } = await send("why", { version, seat, things });
      const [first] = refusals;
      if (!first) say(picks.size ? "no move takes this together with what is picked" : "no move takes this now", at, id);
      else say(first.objections.map((entry) => entry.text).join("; ") || `not now: ${typeof first.text === "string" ? first.text : plainText(first.text)}`, at, id);
    } catch (error) {
      tell(error);
    }
  };

  const click = (event) => {
    byKeys.current = event.detail === 0;
    const place = event.detail === 0 ? middleOf(event.target) : { x: event.clientX, y: event.clientY };
    lastAt.current = place;
    const named = event.target.closest?.("[data-empty]");
    const id = named?.dataset.empty ?? event.target.closest?.(".target")?.dataset.id;
    const hit = event.detail === 0 || named ? id : targetAt(main.current, event.clientX, event.clientY);
    if (hit && (now.live.has(hit) || picks.has(hit))) return pick(hit);
    const thing = event.target.closest?.("[data-thing]")?.dataset.thing ?? named?.dataset.empty;
    const kind = event.target.closest?.("[data-kind]")?.dataset.kind;
    if (thing && moves.length) return why(kind && moves.some((move) => touched(move).has(`${thing}/${kind}`)) ? `${thing}/${kind}` : thing, place);
    setNote(null);
    return undefined;
  };

  const keysDown = (event) => {
    if (event.key === "Escape" && drawer) {
      setDrawer(null);
      return;
    }
    if (event.target.closest?.("input, textarea, select, .drawer, .editor")) return;
    const focused = document.activeElement?.closest?.(".target, [data-empty].live");
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (step && main.current && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const buttons = [...(bar.current?.querySelectorAll(".buttons button") ?? [])];
      const at = buttons.indexOf(document.activeElement);
      const none = !main.current.querySelector(".target, [data-empty].live");
      if (at < 0 && event.target.closest?.(".bar") && !none) return;
      const next = at >= 0 ? buttons[at + step[0] + step[1]] : none ? buttons[0] : focused ? nearest(main.current, focused, ...step) : main.current.querySelector('.target[tabindex="0"], .target, [data-empty].live');
      if (next) {
        next.focus();
        next.scrollIntoView({ block: "nearest", inline: "nearest" });
        event.preventDefault();
      }
    } else if ((event.key === "Enter" || event.key === " ") && focused) {
      event.preventDefault();
      byKeys.current = true;
      lastAt.current = middleOf(focused);
      pick(focused.dataset.id ?? focused.dataset.empty);
    } else if (event.key === "Escape") {
      if (note) setNote(null);
      else if (past) setPast(null);
      else if (picks.size) {
        const next = new Map(picks);
        next.delete([...picks.keys()].at(-1));
        setPicks(next);
      }
    }
  };
  const onKeys = useRef(keysDown);
  onKeys.current = keysDown;
  useEffect(() => {
    const listen = (event) => onKeys.current(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);

  // with keys alone the focus goes where the next decision is
  useEffect(() => {
    if (!byKeys.current || document.querySelector(".drawer, .veil")) return;
    const lost = !document.activeElement || document.activeElement === document.body;
    if (!now.live.size && now.buttons.length && picks.size) bar.current?.querySelector(".buttons button")?.focus();
    else if (lost) (main.current?.querySelector('.target[tabindex="0"]') ?? bar.current?.querySelector(".buttons button"))?.focus();
  }, [now, busy]);

  useGlide(main, known, places, scene);

  // one device, several seats
  const mine = known?.you.seats ?? [];
  const passTo = known && !past && known.waiting === "player" && mine.includes(known.to_move) && known.you.look !== known.to_move ? known.to_move : null;
  const byItself = passTo !== null && (settings.screens === "never" || embedded || (settings.screens === "needed" && !hides(known.scene, passTo)));
  useEffect(() => {
    if (byItself && line.how === "open") session.look(passTo).catch(tell);
  }, [passTo, byItself, line.how]);

  const look = (player) => {
    setPast(null);
    session.look(player).catch(tell);
  };
  const set = (part) => {
    const next = { ...settings, ...part };
    setSettings(next);
    keep("settings", next);
  };
  const at = async (made) => {
    try {
      const answer = await send("at", { made });
      setPast(made === known.made ? null : answer);
    } catch (error) {
      tell(error);
    }
  };
  const lastBy = known?.lines.findLast((entry) => entry.player)?.player;
  const undoSeat = known && mine.includes(lastBy) ? lastBy : known?.may_undo ? known.you.look : null;
  // who holds all the seats that would have to agree has agreed by asking
  const goBack = async () => {
    try {
      const answer = await send("undo", { version, seat: undoSeat });
      if (answer.done || !answer.needs.every((player) => mine.includes(player))) return;
      let next = answer.version;
      for (const player of answer.needs) next = (await send("agree", { version: next, seat: player, yes: true })).version ?? next + 1;
    } catch (error) {
      tell(error);
    }
  };
  const act = (what, fields) => send(what, { version, seat, ...fields }).then((answer) => answer, (error) => tell(error));

  const head = embedded ? null : html`<${Top} bare title=${known?.table.title ?? "Table"} note=${known && !known.you.seats.length ? "onlooker" : null}>
      <button type="button" onClick=${() => setDrawer("history")} disabled=${!known}>History</button>
      <button type="button" onClick=${() => setDrawer("ledger")} disabled=${!known}>Points</button>
      <button type="button" onClick=${() => setDrawer("more")} disabled=${!known}>More</button>
    </${Top}>`;
  if (!known) {
    return html`${head}<main class="page"><${LineBanner} line=${line} retry=${session.retry} />${line.how !== "gone" && html`<p role="status">Opening the table …</p>`}</main>`;
  }
  const firstLive = pickFirst(now.live, picks);
  return html`<${Patterns} />${head}
    <${LineBanner} line=${line} retry=${session.retry} />
    <${Notices} known=${known} act=${act} past=${past} at=${at} leave=${() => setPast(null)} />
    <main ref=${main} onClick=${click} data-version=${known.version}>
      <${Boards} scene=${scene} known=${known} embedded=${embedded} main=${main} live=${open ? now.live : new Map()} picks=${picks} first=${firstLive}
        names=${(id) => nameOf(id, places, scene.kinds)} hint=${hint && touchedBy(hint.move, moves)} recent=${past || picks.size ? null : recentOf(known)} />
    </main>
    <${Bar} place=${bar} known=${known} scene=${scene} now=${now} picks=${picks} moves=${moves} busy=${busy} past=${past} hint=${hint} line=${line} play=${play}
      all=${() => setDrawer("moves")} drop=${() => setPicks(new Map())} passTo=${byItself ? null : passTo} pass=${() => setVeil(passTo)} goBack=${goBack} mayUndo=${Boolean(undoSeat)}
      askHint=${() => act("hint").then((answer) => answer && setHint(answer))} />
    ${note && html`<${Note} note=${note} close=${() => setNote(null)} />`}
    ${veil && html`<div class="veil"><div class="panel stackwise"><h2>Pass the device to ${called(known, veil)}</h2>
      <p>The board of ${called(known, veil)} is shown next. Everyone else looks away.</p>
      <button type="button" class="main" ref=${(element) => element?.focus()} onClick=${() => { look(veil); setVeil(null); }}>I am ${called(known, veil)}</button></div></div>`}
    ${drawer === "moves" && html`<${AllMoves} close=${() => setDrawer(null)} moves=${scene.moves ?? []} kinds=${scene.kinds} play=${(move) => { setDrawer(null); play(move); }} />`}
    ${drawer === "history" && html`<${History} close=${() => setDrawer(null)} known=${known} past=${past} at=${at} send=${send} />`}
    ${drawer === "ledger" && html`<${Ledger} close=${() => setDrawer(null)} known=${known} send=${send} />`}
    ${drawer === "more" && html`<${More} close=${() => setDrawer(null)} known=${known} keys=${keys} table=${table} send=${send} settings=${settings} set=${set} look=${look} scene=${scene} act=${act} renewed=${renewed} />`}`;
}

/** Return where pieces came to lie in the last decision of a player. */
function recentOf(known) {
  const last = lastMove(known);
  return new Set(known.events.filter((event) => event.number === last?.number && event.to).map((event) => event.to));
}

function touchedBy(notation, moves) {
  const move = moves.find((entry) => entry.do === notation);
  return move ? touched(move) : new Set();
}

function pickFirst(live, picks) {
  for (const [id, entry] of live) if (entry.strong) return id;
  return [...picks.keys()][0] ?? null;
}

function middleOf(element) {
  const box = element.getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Does this scene hide something that lies before a player? Then the screen is covered before it is theirs. */
function hides(scene, player) {
  return scene.areas.some((area) => area.player === player && area.blocks.some((block) => block.things.some((thing) => thing.pieces.some((piece) => piece.back))));
}

function LineBanner({ line, retry }) {
  if (line.how === "open" || (line.how === "joining" && !line.tries)) return null;
  if (line.how === "gone") return html`<p class="banner" role="alert">${line.why}. <a href="/">To the lobby</a></p>`;
  return html`<p class="banner" role="alert">The connection is lost. Trying again … nothing is lost: the server keeps the game.
    <button type="button" onClick=${retry}>Try now</button></p>`;
}

function Notices({ known, act, past, at, leave }) {
  const { undo, outcome, fault } = known;
  const mine = known.you.seats.filter((player) => undo?.needs.includes(player) && !undo.agreed.includes(player));
  return html`
    ${past && html`<div class="banner calm" role="status">After decision ${past.made} of ${known.made}${past.line ? `: ${past.line.text || past.line.move}` : ""}
      <button type="button" disabled=${past.made <= 0} onClick=${() => at(past.made - 1)} aria-label="one decision back">◀</button>
      <button type="button" disabled=${past.made >= known.made} onClick=${() => at(past.made + 1)} aria-label="one decision on">▶</button>
      <button type="button" class="main" onClick=${leave}>Back to now</button></div>`}
    ${undo && html`<div class="banner calm" role="status"><span>${called(known, undo.by)} asks to go back to decision ${undo.to}.
        ${undo.shown?.length ? ` This was turned up since: ${undo.shown.join(", ")}.` : ""} ${mine.length ? "" : `Waiting for ${undo.needs.filter((player) => !undo.agreed.includes(player)).map((player) => called(known, player)).join(", ")}.`}</span>
      ${mine.length > 0 && html`<button type="button" class="main" onClick=${() => mine.forEach((player) => act("agree", { seat: player, yes: true }))}>Agree</button>
        <button type="button" onClick=${() => act("agree", { seat: mine[0], yes: false })}>Refuse</button>`}</div>`}
    ${fault && html`<p class="banner" role="alert">The rules cannot go on: ${fault.message}</p>`}
    ${outcome && html`<p class="banner calm" role="status"><b>${outcome.winners.length ? `${outcome.winners.map((player) => called(known, player)).join(" and ")} ${outcome.winners.length > 1 ? "win" : "wins"}` : "Nobody wins"}</b>
      ${Object.keys(outcome.scores ?? {}).length > 0 && html`<span>${Object.entries(outcome.scores).map(([player, points]) => `${called(known, Number(player))} ${points}`).join(", ")}</span>`}
      ${outcome.reason && html`<span class="soft">${outcome.reason}</span>`}</p>`}`;
}

// The boards -------------------------------------------------------------------------------------------------

/** Return the size of an element, kept up to date. */
function useSize(place) {
  const [size, setSize] = useState(null);
  useLayoutEffect(() => {
    const element = place.current;
    const read = () => {
      const style = getComputedStyle(element);
      const width = element.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
      const height = element.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
      setSize((old) => (old && Math.abs(old.width - width) < 1 && Math.abs(old.height - height) < 1 ? old : { width, height }));
    };
    read();
    const watch = new ResizeObserver(read);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  return size;
}

function Boards({ scene, known, embedded, main, live, picks, names, hint, recent, first }) {
  const size = useSize(main);
  const [table, ...players] = scene.areas;
  const you = scene.you;
  const own = players.find((area) => area.player === you && area.blocks.length);
  const others = players.filter((area) => area !== own && area.blocks.length);
  const heads = players.filter((area) => !area.blocks.length);
  const narrow = size && size.width < NARROW;
  const shape = scene.areas.map((area) => area.blocks.map((block) => `${block.w},${block.h},${block.small}`).join(";")).join("|");
  const chips = Math.max(...scene.areas.map(lineOfChips));
  const plan = useMemo(() => {
    if (!size || narrow) return null;
    // others begin with the player after you, as they sit
    return planWide({
      table: table.blocks, own: own?.blocks ?? null, others: others.map((area) => area.blocks), width: size.width,
      height: size.height - (heads.length ? 56 : 0) - (table.blocks.length ? 0 : chips), chips,
    });
  }, [size, narrow, shape, you, chips]);
  if (!size) return html`<div></div>`;
  const draw = (block, unit) => html`<${Block} key=${block.id} block=${block} kinds=${scene.kinds} unit=${unit} live=${live} picks=${picks} names=${names} hint=${hint} recent=${recent} first=${first} />`;
  const shared = { scene, known, live, picks };
  if (narrow) return html`<${Narrow} ...${shared} table=${table} own=${own} others=${others} heads=${heads} width=${size.width} draw=${draw} />`;
  // the rows of a plan are of the scene it was made for; the blocks themselves may be newer
  const fresh = new Map(scene.areas.flatMap((area) => area.blocks.map((block) => [block.id, block])));
  const rows = (list, unit) => list.map((row) => html`<div class="blocks" style=${{ gap: `${unit * BETWEEN}px` }}>${row.map((block) => fresh.has(block.id) && draw(fresh.get(block.id), unit))}</div>`);
  const order = [...others].sort((a, b) => turnAfter(a.player, you, scene.players) - turnAfter(b.player, you, scene.players));
  const before = table.blocks.length > 0 && html`<section class="area panel" aria-label="table">${rows(plan.table, plan.unit)}<${Chips} area=${table} ...${shared} /></section>`;
  const ownBoard = own && html`<section class="area panel" aria-label=${`board of ${called(known, own.player)}`}><${Head} area=${own} ...${shared} />${rows(plan.own, plan.unit)}<${Chips} area=${own} ...${shared} /></section>`;
  const others_ = order.length > 0 && html`<div class=${`others columns-${plan.columns}`}>${order.map((area) => html`<section key=${area.id} class="area panel" aria-label=${`board of ${called(known, area.player)}`}>
      <${Head} area=${area} ...${shared} />${rows(plan.others[others.indexOf(area)], plan.unit * plan.share)}<${Chips} area=${area} ...${shared} /></section>`)}</div>`;
  const loose = table.blocks.length === 0 && (table.chips.length > 0 || table.empty.length > 0) && html`<${Chips} area=${table} ...${shared} />`;
  return html`<div class="stackwise">
    ${(heads.length > 0 || loose) && html`<div class="row heads">${heads.map((area) => html`<section class="area panel" aria-label=${`board of ${called(known, area.player)}`}><${Head} area=${area} ...${shared} /><${Chips} area=${area} ...${shared} /></section>`)}${loose}</div>`}
    <div class=${`boards ${plan.above ? "above" : ""}`}>${plan.above ? html`${before}<div class="lower">${ownBoard}${others_}</div>` : html`${before}${ownBoard}${others_}`}</div>
  </div>`;
}

/** Return about how high the lines below an area are, in pixels. */
function lineOfChips(area) {
  const letters = [...area.chips.map((chip) => chip.title.length + 5 * chip.values.length), ...area.empty.map((entry) => entry.title.length)].reduce((sum, count) => sum + count + 3, 0);
  return letters ? 12 + 28 * Math.ceil(letters / 55) : 0;
}

function turnAfter(player, you, players) {
  return you ? (player - you + players) % players : player;
}

/** A phone: large blocks of the table, own board, the rest of the table, the others. */
function Narrow({ scene, known, live, picks, table, own, others, heads, width, draw }) {
  const shared = { scene, known, live, picks };
  const idle = (block) => block.things.every((thing) => !thing.pieces.length && !live.has(thing.id)) && !block.small && block.things.some((thing) => thing.as === "box");
  const units = (blocks, room, share = 1) => blocks.map((block) => draw(block, unitNarrow(block, room, share, blocks) * (idle(block) ? 0.45 : 1)));
  const large = table.blocks.filter((block) => !block.small);
  const small = table.blocks.filter((block) => block.small);
  const lay = (blocks, room, share) => [
    ...units(blocks.filter((block) => !block.small), room, share).map((drawn) => html`<div class="blocks">${drawn}</div>`),
    html`<div class="blocks">${units(blocks.filter((block) => block.small), room, share)}</div>`,
  ];
  const board = (area, share) => html`<section key=${area.id} class="area panel" aria-label=${`board of ${called(known, area.player)}`}>
    <${Head} area=${area} ...${shared} />${lay(area.blocks, width - 16, share)}<${Chips} area=${area} ...${shared} /></section>`;
  return html`<div class="boards narrow">
    ${heads.length > 0 && html`<div class="row heads">${heads.map((area) => html`<section class="area panel"><${Head} area=${area} ...${shared} /><${Chips} area=${area} ...${shared} /></section>`)}</div>`}
    ${large.length > 0 && html`<section class="area open" aria-label="table">${units(large, width).map((drawn) => html`<div class="blocks">${drawn}</div>`)}</section>`}
    ${own && board(own, 1)}
    ${(small.length > 0 || table.chips.length > 0 || table.empty.length > 0) && html`<section class="area open" aria-label="beside the table"><div class="blocks">${units(small, width)}</div><${Chips} area=${table} ...${shared} /></section>`}
    ${others.map((area) => board(area, 0.62))}
  </div>`;
}

function Head({ area, known, scene }) {
  const seat = known.seats.find((entry) => entry.player === area.player) ?? {};
  const away = seat.who === "human" && !known.here.includes(area.player) && !known.outcome;
  return html`<div class="head"><h2>${called(known, area.player)}${area.player === scene.you ? " (you)" : ""}</h2>
    ${area.score !== null && html`<span class="pill" aria-label=${`score ${area.score}`}>${area.score}</span>`}
    ${area.to_move && html`<span class="tag turn">to move</span>`}
    ${seat.who && seat.who !== "human" && html`<span class="tag">bot</span>`}
    ${away && html`<span class="tag away">not here</span>`}
    ${area.tags.map((tag) => html`<span class="tag">${tag}</span>`)}</div>`;
}

function Chips({ area, scene, live, picks }) {
  if (!area.chips.length && !area.empty.length) return null;
  return html`<div class="chips">
    ${area.chips.map((chip) => html`<span class="chip">${chip.title}: ${chip.values.map((value) => html`<span>${value.of ? `${value.of}: ` : ""}${value.kind && scene.kinds[value.kind] ? html`<${Sign} kind=${scene.kinds[value.kind]} kinds=${scene.kinds} />` : value.text}</span>`)}</span>`)}
    ${area.empty.length > 0 && html`<span>empty: ${area.empty.map((entry, number) => html`${number > 0 ? ", " : ""}${live.has(entry.id) || picks.has(entry.id)
      ? html`<span class="chip live" data-empty=${entry.id} role="button" tabindex="0" aria-pressed=${picks.has(entry.id)}>${entry.title}</span>`
      : html`<span data-empty=${entry.id}>${entry.title}</span>`}`)}</span>`}</div>`;
}

// What moves ---------------------------------------------------------------------------------------------------

/** Let pieces glide from where to where. Nothing depends on it; it does not happen where motion is not wanted. */
function useGlide(main, known, places, scene) {
  const seen = useRef(null);
  useEffect(() => {
    const last = seen.current;
    seen.current = known?.version ?? null;
    if (!main.current || last === null || !known?.events?.length || known.version === last) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden) return;
    known.events.slice(0, 40).forEach((event, number) => {
      if (!event.from || !event.to || event.from === event.to) return;
      const from = whereIs(main.current, places, event.from, event.piece);
      const to = whereIs(main.current, places, event.to, event.piece);
      if (from && to) glide(from, to, scene.kinds[event.piece], number * 25);
    });
  }, [known?.version]);
}

function glide(from, to, kind, delay) {
  const ghost = document.createElement("div");
  ghost.className = "glide";
  ghost.setAttribute("aria-hidden", "true");
  const [w, h] = [Math.max(8, to.size), Math.max(8, to.size)];
  ghost.style.width = `${w}px`;
  ghost.style.height = `${h}px`;
  ghost.style.background = kind?.colour ?? "#66758c";
  ghost.style.borderRadius = kind?.shape === "circle" ? "50%" : "14%";
  document.body.append(ghost);
  const place = ({ x, y }) => `translate(${x - w / 2}px, ${y - h / 2}px)`;
  const moving = ghost.animate([{ transform: place(from), opacity: 0.95 }, { transform: place(to), opacity: 0.95, offset: 0.85 }, { transform: place(to), opacity: 0 }], {
    duration: 420, delay: Math.min(delay, 300), easing: "ease-in-out", fill: "both",
  });
  moving.finished.then(() => ghost.remove(), () => ghost.remove());
}

// The bar and what opens from it ------------------------------------------------------------------------------

function says(known, now, moves, picks, busy, past, line) {
  if (past) return "This is the past: nothing can be played here.";
  if (line.how !== "open") return "Not connected.";
  if (busy) return `Sending: ${plainText(busy.text)} …`;
  if (known.outcome) return "The game is over.";
  switch (known.waiting) {
    case "stuck":
      return "The rules cannot go on.";
    case "bot":
      return `${called(known, known.to_move)} is thinking …`;
    case "chance":
      return `${moves.length ? "What came at the real table?" : "Waiting for what comes at the real table."}${known.asks ? ` Next: ${known.asks}.` : ""}`;
    default:
  }
  if (!moves.length && known.undecided) return `All decide in secret. Still to decide: ${known.undecided.map((player) => called(known, player)).join(", ")}.`;
  if (!moves.length) return known.to_move ? `${called(known, known.to_move)} is to move.` : "Waiting …";
  if (picks.size) return `${now.left.length} ${now.left.length === 1 ? "move" : "moves"} left`;
  return known.undecided ? `Decide in secret: ${moves.length} possible` : `Your move: ${moves.length} possible`;
}

/** Return the last decision of a player. */
function lastMove(known) {
  return known.lines.findLast((entry) => entry.player);
}

/** Return who gained how much by a decision and what came of it. */
function gained(known, number) {
  const points = new Map();
  for (const line of known.lines) if (line.number >= number) for (const entry of line.points ?? []) points.set(entry.player, (points.get(entry.player) ?? 0) + entry.gained);
  const words = [...points].map(([player, sum]) => `${called(known, player)} ${sum > 0 ? "+" : sum < 0 ? "−" : "±"}${Math.abs(sum)}`);
  return words.length ? ` (${words.join(", ")})` : "";
}

function Bar({ place, known, scene, now, picks, moves, busy, past, hint, line, play, all, drop, passTo, pass, goBack, mayUndo, askHint }) {
  const ready = line.how === "open" && !busy && !past;
  const buttons = ready ? now.buttons.slice(0, MANY) : [];
  const last = lastMove(known);
  return html`<footer class="bar" ref=${place}>
    <div class="says" role="status" aria-live="polite">${says(known, now, moves, picks, busy, past, line)}
      ${last && !picks.size && html`<span class="last"> Last: ${called(known, last.player)}: ${last.text || last.move}${gained(known, last.number)}</span>`}
      ${hint && html` Hint: ${hint.text}.`}</div>
    <div class="buttons" tabindex=${buttons.length > 2 ? 0 : -1}>
      ${passTo && ready && html`<button type="button" class="main over" onClick=${pass}>Pass the device to ${called(known, passTo)}</button>`}
      ${buttons.map((move) => html`<button type="button" class="main move" key=${move.do} data-move=${move.do} onClick=${() => play(move)}><span><${MoveText} text=${move.text} kinds=${scene.kinds} /></span></button>`)}
    </div>
    <div class="row push">
      ${picks.size > 0 && html`<button type="button" onClick=${drop}>Clear</button>`}
      ${ready && moves.length > 0 && html`<button type="button" onClick=${all}>All moves</button>`}
      ${ready && moves.length > 0 && known.waiting === "player" && html`<button type="button" onClick=${askHint}>Hint</button>`}
      ${ready && mayUndo && html`<button type="button" onClick=${goBack}>Undo</button>`}
    </div></footer>`;
}

function Note({ note, close }) {
  const place = useRef(null);
  useLayoutEffect(() => {
    const element = place.current;
    const box = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(innerWidth - box.width - 8, note.x - box.width / 2));
    const above = note.y - box.height - 16;
    element.style.left = `${left}px`;
    element.style.top = `${above > 8 ? above : Math.min(innerHeight - box.height - 8, note.y + 20)}px`;
  }, [note]);
  return html`<div class="note" role="alert" ref=${place} data-about=${note.about} onClick=${close}>${note.text}</div>`;
}

function AllMoves({ close, moves, kinds, play }) {
  const [words, setWords] = useState("");
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = moves.filter((move) => wanted.every((word) => `${plainText(move.text)} ${move.do}`.toLowerCase().includes(word)));
  return html`<${Drawer} title=${`All moves (${moves.length})`} close=${close}>
    <p><label>Find <input value=${words} onInput=${(event) => setWords(event.target.value)} /></label></p>
    <ul class="list">${shown.slice(0, 300).map((move) => html`<li key=${move.do}><button type="button" data-move=${move.do} onClick=${() => play(move)}><span><${MoveText} text=${move.text} kinds=${kinds} /></span></button></li>`)}</ul>
    ${shown.length > 300 && html`<p class="soft">and ${shown.length - 300} more: type some words above</p>`}
  </${Drawer}>`;
}

function History({ close, known, past, at, send }) {
  const [older, setOlder] = useState([]);
  const lines = [...older, ...known.lines];
  const first = lines[0]?.number ?? 0;
  const more = async () => {
    const from = Math.max(1, first - 200);
    const answer = await send("log", { from, count: Math.min(200, first - from) });
    setOlder([...answer.lines, ...older]);
  };
  const made = past?.made ?? known.made;
  const list = useRef(null);
  useLayoutEffect(() => list.current.querySelector(".now")?.scrollIntoView({ block: "nearest" }), [made]);
  return html`<${Drawer} title="History" close=${close}>
    <div class="row steps"><button type="button" disabled=${made <= 0} onClick=${() => at(made - 1)}>◀ back</button>
      <button type="button" disabled=${made >= known.made} onClick=${() => at(made + 1)}>on ▶</button>
      <span class="soft">decision ${made} of ${known.made}</span></div>
    ${first > 1 && html`<p><button type="button" onClick=${more}>Show earlier ones</button></p>`}
    <ol class="list history" ref=${list}>${lines.map((entry) => html`<li key=${entry.number}><button type="button" class=${entry.number === made ? "now" : ""} aria-current=${entry.number === made ? "step" : undefined} onClick=${() => at(entry.number)}>
      <span><b>${entry.number}</b> ${entry.player ? called(known, entry.player) : entry.number ? "chance" : "start"}: ${entry.text || entry.move}
      ${(entry.told ?? []).map((text) => html`<br /><span>${text}</span>`)}
      ${(entry.points ?? []).map((points) => html`<br /><span class="soft">${points.gained > 0 ? "+" : ""}${points.gained} ${called(known, points.player)}: ${points.text || points.rule}</span>`)}</span></button></li>`)}</ol>
  </${Drawer}>`;
}

function Ledger({ close, known, send }) {
  const [ledger, setLedger] = useState(null);
  const [wrong, setWrong] = useState(null);
  useEffect(() => {
    send("ledger").then(setLedger, setWrong);
  }, [known.version]);
  return html`<${Drawer} title="Points" close=${close}>
    ${wrong && html`<p class="bad">${wrong.message}</p>`}
    ${ledger && html`<p>${Object.entries(ledger.scores).map(([player, points]) => html`<span class="tag">${called(known, Number(player))}: <b>${points}</b></span> `)}</p>
      ${ledger.lines.length === 0 && html`<p class="soft">No points yet.</p>`}
      <table class="ledger"><thead><tr><th>No.</th><th>Player</th><th>Rule</th><th>Points</th></tr></thead><tbody>
      ${ledger.lines.map((entry) => html`<tr><td>${entry.decision}</td><td>${called(known, entry.player)}</td><td>${entry.text || entry.rule}</td><td class="points">${entry.gained > 0 ? "+" : ""}${entry.gained}</td></tr>`)}
    </tbody></table>`}
  </${Drawer}>`;
}

function More({ close, known, keys, table, send, settings, set, look, scene, act, renewed }) {
  const [invited, setInvited] = useState(null);
  const [wrong, setWrong] = useState(null);
  const [inner, setInner] = useState(null);
  const record = async () => {
    try {
      download(`${known.table.game || "game"}.record`, await ask(`/api/tables/${table}/record${known.you.people ? "?whole=yes" : ""}`, undefined, { keys }));
    } catch (error) {
      setWrong(error.message);
    }
  };
  const rulebook = async () => {
    try {
      const { html: text } = await ask(`/api/tables/${table}/rulebook`, undefined, { keys });
      download(`${known.table.game || "rules"}.html`, text);
    } catch (error) {
      setWrong(error.message);
    }
  };
  const rename = (player) => (event) => {
    event.preventDefault();
    const name = new FormData(event.target).get("name").trim();
    if (name) send("name", { seat: player, name }).then(() => setWrong(null), (error) => setWrong(error.message));
  };
  if (inner === "words") {
    return html`<${Drawer} title="The position in words" close=${close}>${scene.areas.map((area) => html`<h3>${area.player ? called(known, area.player) : "Table"}${area.score !== null ? `: ${area.score}` : ""}</h3>
      <ul>${area.tags.map((tag) => html`<li>${tag}</li>`)}${area.chips.map((chip) => html`<li>${chip.title}: ${chip.values.map((value) => `${value.of ? `${value.of}: ` : ""}${value.text ?? scene.kinds[value.kind]?.label ?? value.kind}`).join(", ")}</li>`)}
      ${area.blocks.flatMap((block) => [...block.things.map((thing) => thing.label), ...block.marks.map((mark) => `${mark.label}${mark.lit ? ", reached" : ""}`)]).map((label) => html`<li>${label}</li>`)}
      ${area.empty.map((entry) => html`<li>${entry.title}: nothing</li>`)}</ul>`)}</${Drawer}>`;
  }
  return html`<${Drawer} title="More" close=${close}><div class="stackwise">
    ${wrong && html`<p class="bad" role="alert">${wrong}</p>`}
    <div class="row"><a class="button" href="/">Lobby</a><button type="button" onClick=${() => setInner("words")}>Position in words</button>
      <button type="button" onClick=${record}>Save the record</button><button type="button" onClick=${rulebook}>Rulebook</button><button type="button" onClick=${() => print()}>Print</button></div>
    <label><input type="checkbox" checked=${settings.quick} onChange=${() => set({ quick: !settings.quick })} />play at once when one move is left</label>
    ${known.you.seats.length > 1 && html`<label>Screen between turns <select onChange=${(event) => set({ screens: event.target.value })}>
      ${[["needed", "when something is hidden"], ["always", "always"], ["never", "never"]].map(([value, text]) => html`<option value=${value} selected=${settings.screens === value}>${text}</option>`)}</select></label>
      <div class="row">Look as ${known.you.seats.map((player) => html`<button type="button" aria-pressed=${known.you.look === player} onClick=${() => look(player)}>${called(known, player)}</button>`)}</div>`}
    <h3>Seats</h3>
    ${known.seats.map((seat) => html`<form class="row" onSubmit=${rename(seat.player)}><label class="unseen" for=${`rename-${seat.player}`}>name of player ${seat.player}</label>
      ${known.you.seats.includes(seat.player) || known.you.host
        ? html`<input id=${`rename-${seat.player}`} name="name" maxlength="30" value=${seat.name || `Player ${seat.player}`} /><button>Rename</button>`
        : html`<span>${called(known, seat.player)}</span>`}
      ${known.you.host && html`<select aria-label=${`who plays player ${seat.player}`} onChange=${(event) => send("seat", { seat: seat.player, who: event.target.value }).catch((error) => setWrong(error.message))}>
        ${["human", "greedy", "quick", "random", "search"].map((who) => html`<option value=${who} selected=${seat.who === who || seat.who.startsWith(`${who}:`)}>${who === "human" ? "a person" : `bot: ${who}`}</option>`)}</select>`}
      ${known.here.includes(seat.player) && html`<span class="tag">here</span>`}</form>`)}
    ${known.you.seats.length === 1 && keys.length === 1 && html`<div><button type="button" onClick=${() => send("renew", { seat: known.you.seats[0] }).then((answer) => renewed(keys[0], answer.key), (error) => setWrong(error.message))}>New link for my seat</button>
      <span class="soft">the old one, and who has it, is out</span></div>`}
    ${known.onlookers > 0 && html`<p class="soft">${known.onlookers} looking on</p>`}
    ${known.you.host && !invited && html`<div><button type="button" onClick=${() => send("invite").then(setInvited, (error) => setWrong(error.message))}>Links and codes of the seats</button></div>`}
    ${invited && html`<${SeatLinks} table=${table} seats=${invited.seats.map((seat) => ({ ...known.seats.find((entry) => entry.player === seat.player), ...seat }))} onlooker=${invited.onlooker} />`}
    ${known.you.host && html`<details><summary>Close the table for good</summary><button type="button" onClick=${() => send("close").catch((error) => setWrong(error.message))}>Close it</button></details>`}
  </div></${Drawer}>`;
}
