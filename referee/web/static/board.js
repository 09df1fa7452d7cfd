// A block of the scene as one SVG: what lies there, and above it what can be picked.
import { html, useMemo } from "./vendor/ui.js";
import { Back, Piece, Words, brightness, inkOn, mix, outline, polygon } from "./shapes.js";
import { cut } from "./scene.js";

const TOUCH = 24; // pixels: the smallest thing that a finger hits

/** Return the path around a thing. */
export function edgeOf(thing) {
  if (thing.poly) return polygon(thing.poly);
  return outline(thing.shape === "none" ? "square" : thing.shape, thing.x, thing.y, thing.w, thing.h);
}

/** Return the path around a piece, a little larger than it is. */
function edgeOfPiece(piece, kinds) {
  if (piece.poly) return polygon(piece.poly);
  return outline(kinds[piece.kind]?.shape ?? "square", piece.x, piece.y, piece.w * 1.04, piece.h * 1.04);
}

function Under({ sign, kinds, x, y, w, h, poly }) {
  if (!sign) return null;
  if (sign.kind) {
    const kind = kinds[sign.kind];
    if (!kind) return null;
    const shape = poly ? polygon(poly) : outline(kind.shape, x, y, w * 0.88, h * 0.88);
    const dark = brightness(kind.colour) < 0.4;
    return html`<g opacity=".5"><path d=${shape} fill=${kind.colour} stroke=${mix(kind.colour, "#000000", 0.6)} stroke-width=".03" stroke-dasharray=".08 .05" />
      <path d=${shape} fill=${`url(#pattern-${dark ? "light" : "dark"}-${kind.pattern % 8})`} /></g>
      <${Words} text=${kind.symbol} kind="under-letter" x=${x} y=${y} w=${w * 0.7} h=${h * 0.72} />`;
  }
  return html`<${Words} text=${sign.text} x=${x} y=${y} w=${w * 0.86} h=${h * 0.62} />`;
}

/** A place or track with all that lies on it; it is drawn again only when it differs. */
function Thing({ thing, kinds }) {
  return useMemo(() => {
    const covered = new Set(thing.as === "spaces" || thing.as === "cell" ? thing.pieces.map((_, number) => number) : []);
    const tint = thing.tint ? { fill: thing.tint, fillOpacity: thing.poly ? 0.45 : 1 } : undefined;
    const plain = thing.count !== undefined;
    const only = thing.shape === "none";
    return html`<g class=${`thing ${thing.as === "box" ? "pile" : ""} ${thing.behind ? "behind" : ""}`} data-thing=${thing.id} role="img" aria-label=${thing.label}>
      ${!only && html`<path class="bed" d=${edgeOf(thing)} style=${tint} />`}
      ${!only && thing.pattern !== null && !thing.pieces.length && html`<path d=${edgeOf(thing)} fill=${`url(#pattern-ink-${thing.pattern})`} />`}
      ${only && html`<rect class="hit" x=${thing.x - thing.w / 2} y=${thing.y - thing.h / 2} width=${thing.w} height=${thing.h} />`}
      ${thing.spaces.map((space, number) => html`<g>
        ${only && html`<path class="bed" d=${outline("square", space.x, space.y, space.w * 0.96, space.h * 0.96)} />`}
        ${!covered.has(number) && html`<${Under} sign=${space.under} kinds=${kinds} x=${space.x} y=${space.y} w=${space.w} h=${space.h} poly=${thing.poly && space.under?.kind ? thing.poly : null} />`}</g>`)}
      ${thing.pieces.map((piece) => {
        const kind = kinds[piece.kind];
        const { x, y, w, h, n } = piece;
        if (piece.back || !kind) return html`<${Back} kind=${kind} x=${x} y=${y} w=${w} h=${h} count=${n ?? 0} />`;
        if (thing.behind && !piece.face && !kind.face) return html`<path class="bed lying" d=${outline("square", x, y, w, h)} />`; // what lies in front is looked at
        const shown = piece.face ? { ...kind, face: piece.face, across: piece.across } : kind;
        return html`<g data-kind=${piece.kind}><${Piece} kind=${shown} kinds=${kinds} x=${x} y=${y} w=${w} h=${h} poly=${piece.poly} plain=${plain} />
          ${n > 0 && html`<text class="number beside" x=${x + w / 2 + 0.06} y=${y} font-size=".36">×${n}</text>`}</g>`;
      })}
      ${thing.marker && html`<path class="marker-halo" d=${outline("circle", thing.marker.x, thing.marker.y, thing.marker.w, thing.marker.h)} />
        <path class="marker" d=${outline("circle", thing.marker.x, thing.marker.y, thing.marker.w, thing.marker.h)} />`}
      ${thing.count !== undefined && html`<text class="number" x=${thing.x} y=${thing.y + thing.h / 2 - 0.2} font-size=".34" style=${thing.tint ? { fill: inkOn(thing.tint) } : undefined}>${thing.count}</text>`}
    </g>`;
  }, [thing, kinds]);
}

function Mark({ mark, kinds, around }) {
  const { x, y, w, h } = mark;
  const ring = around ? edgeOf(around) : outline("square", x, y, w, h);
  switch (mark.mark) {
    case "ring":
      return html`<g class="mark" role="img" aria-label=${mark.label}><path class="marker-halo" d=${ring} /><path class="marker" d=${ring} /></g>`;
    case "back":
      return html`<g role="img" aria-label=${mark.label}><${Back} x=${x} y=${y} w=${w} h=${h} kind=${{ colour: "#66758c", shape: w === h ? "circle" : "square" }} /></g>`;
    case "pawn":
      return html`<g class="pawn" role="img" aria-label=${mark.label}>
        <path d=${`M${x - w * 0.42} ${y + h * 0.46}Q${x - w * 0.1} ${y + h * 0.1} ${x - w * 0.14} ${y - h * 0.06}H${x + w * 0.14}Q${x + w * 0.1} ${y + h * 0.1} ${x + w * 0.42} ${y + h * 0.46}Z`} />
        <circle cx=${x} cy=${y - h * 0.24} r=${h * 0.22} /></g>`;
    default:
      return html`<g class=${`mark ${mark.lit ? "lit" : ""}`} role="img" aria-label=${`${mark.label}${mark.lit ? ", reached" : ""}`}>
        <path class="bed" d=${outline(mark.mark, x, y, w, h)} /><${Under} sign=${mark.under} kinds=${kinds} x=${x} y=${y} w=${w * 0.9} h=${h} /></g>`;
  }
}

/** Return the paths and boxes of what an id names in a block. */
function partsOf(id, thing, kinds) {
  const [, kind] = cut(id);
  if (kind === null) return [{ d: edgeOf(thing), x: thing.x, y: thing.y, w: thing.w, h: thing.h }];
  return thing.pieces.filter((piece) => piece.kind === kind).map((piece) => ({ d: edgeOfPiece(piece, kinds), ...piece }));
}

const STATES = {
  strong: ["halo", "line"],
  thin: ["thin-halo", "thin"],
  picked: ["pick-halo", "pick"],
};

/** What can be picked, or is: an outline in two tones, a button for keys and readers, an area that a finger hits. */
function Target({ id, thing, kinds, state, count, name, unit, first }) {
  const parts = partsOf(id, thing, kinds);
  const least = TOUCH / unit;
  return html`<g class=${`target ${state}`} data-id=${id} role="button" tabindex=${first ? 0 : -1} aria-label=${name} aria-pressed=${count > 0}>
    ${parts.map(({ x, y, w, h }) => (w < least || h < least) && html`<rect class="reach" x=${x - Math.max(w, least) / 2} y=${y - Math.max(h, least) / 2} width=${Math.max(w, least)} height=${Math.max(h, least)} />`)}
    ${parts.map(({ d }, number) => {
      const shown = number < count ? "picked" : state;
      const [halo, line] = STATES[shown] ?? [];
      return html`<path class="hit" d=${d} />${halo && html`<path class=${`edge ${halo}`} d=${d} /><path class=${`edge ${line}`} d=${d} />`}
        <path class="edge seen-halo" d=${d} /><path class="edge seen" d=${d} />`;
    })}
  </g>`;
}

/**
 * One block. `live` is Map id → {strong, count}, `picks` Map id → count; `names` tells how an id is called; `hint` and `recent` are sets of ids.
 */
export function Block({ block, kinds, unit, live, picks, names, hint, recent, first }) {
  const targets = [];
  const marked = block.things.filter(({ id }) => recent?.has(id)).map((thing) => html`<path class="edge recent-halo" d=${edgeOf(thing)} /><path class="edge recent" d=${edgeOf(thing)} />`);
  const hinted = [];
  for (const thing of block.things) {
    const ids = [thing.id, ...new Set(thing.pieces.filter((piece) => piece.kind && !piece.back).map((piece) => `${thing.id}/${piece.kind}`))];
    for (const id of ids) {
      const count = picks.get(id) ?? 0;
      const entry = live.get(id);
      if (entry || count) targets.push(html`<${Target} key=${id} id=${id} thing=${thing} kinds=${kinds} unit=${unit} name=${names(id)} first=${first === id}
        state=${entry ? (entry.strong ? "strong" : "thin") : "picked"} count=${Math.max(count, 0)} />`);
      if (hint?.has(id)) hinted.push(...partsOf(id, thing, kinds).map(({ d }) => html`<path class="hinted" d=${d} />`));
    }
  }
  const title = block.words.filter((word) => word.title).map((word) => word.text).join(", ");
  return html`<svg class="block" data-block=${block.id} width=${block.w * unit} height=${block.h * unit} viewBox=${`0 0 ${block.w} ${block.h}`} role="group" aria-label=${title || "board"}>
    ${block.words.map((word) => html`<text class=${word.title ? "title" : "label"} x=${word.x} y=${word.y} font-size=${Math.min(Math.max(word.size, Math.min(8.5 / unit, word.size * 1.1)), Math.max(15 / unit, 0.3))} data-anchor=${word.anchor}>${word.text}</text>`)}
    ${block.things.map((thing) => html`<${Thing} key=${thing.id} thing=${thing} kinds=${kinds} />`)}
    ${block.marks.map((mark) => html`<${Mark} key=${mark.id} mark=${mark} kinds=${kinds} around=${mark.mark === "ring" ? block.things.find((thing) => thing.x === mark.x && thing.y === mark.y) : null} />`)}
    ${marked}${targets}${hinted}
  </svg>`;
}

/** Return the id of what was clicked: a target whose shape is there, else the nearest one that reaches there; else null. */
export function targetAt(root, x, y) {
  const shapes = root.getRootNode().elementsFromPoint(x, y).filter((element) => element.closest?.(".target"));
  const exact = shapes.find((element) => element.classList.contains("hit"));
  if (exact) return exact.closest(".target").dataset.id;
  let best = null;
  for (const element of shapes) {
    const box = element.getBoundingClientRect();
    const far = Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
    if (!best || far < best.far) best = { far, id: element.closest(".target").dataset.id };
  }
  return best?.id ?? null;
}

/** Return the nearest target in a direction from an element: `dx`, `dy` are -1, 0 or 1. */
export function nearest(root, from, dx, dy) {
  const middle = (element) => {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  for (const element of root.querySelectorAll(".target, [data-empty].live")) {
    if (element === from) continue;
    const [a, b] = middle(element);
    const ahead = (a - x) * dx + (b - y) * dy;
    const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
    if (ahead < 2 || aside > ahead * 3 + 40) continue;
    const far = ahead + 2 * aside;
    if (!best || far < best.far) best = { far, element };
  }
  return best?.element ?? null;
}

/** Return where on the page a thing, or a piece of a kind on it, is drawn: {x, y, size}; null where it is not. */
export function whereIs(root, places, id, kind) {
  const found = places.get(id);
  if (!found) return null;
  const svg = found.block && root.querySelector(`[data-block="${CSS.escape(found.block.id)}"]`);
  if (!svg) {
    const named = root.querySelector(`[data-empty="${CSS.escape(id)}"]`)?.getBoundingClientRect();
    return named ? { x: named.x + named.width / 2, y: named.y + named.height / 2, size: 16 } : null;
  }
  const box = svg.getBoundingClientRect();
  const unit = box.width / found.block.w;
  const piece = found.thing.pieces.findLast((entry) => entry.kind === kind);
  const at = piece ?? found.thing;
  return { x: box.x + at.x * unit, y: box.y + at.y * unit, size: Math.min(piece ? Math.max(piece.w, piece.h) : 0.9, 2) * unit };
}

