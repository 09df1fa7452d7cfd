// Shapes and pieces as SVG, in units of a piece. A kind has three signs: colour, letter, pattern.
import { html } from "./vendor/ui.js";

const round = (value) => Math.round(value * 1000) / 1000;

/** Return the path of a shape around (x, y). */
export function outline(shape, x, y, w, h) {
  const [left, top, right, bottom] = [x - w / 2, y - h / 2, x + w / 2, y + h / 2].map(round);
  switch (shape) {
    case "circle":
      return `M${left} ${round(y)}A${round(w / 2)} ${round(h / 2)} 0 1 1 ${right} ${round(y)}A${round(w / 2)} ${round(h / 2)} 0 1 1 ${left} ${round(y)}Z`;
    case "rhombus":
      return polygon([[x, top], [right, y], [x, bottom], [left, y]]);
    case "hexagon":
      return polygon([[x, top], [right, y - h / 4], [right, y + h / 4], [x, bottom], [left, y + h / 4], [left, y - h / 4]]);
    default: {
      const r = round(Math.min(w, h) * (shape === "card" ? 0.1 : 0.14));
      return `M${round(left + r)} ${top}H${round(right - r)}A${r} ${r} 0 0 1 ${right} ${round(top + r)}V${round(bottom - r)}A${r} ${r} 0 0 1 ${round(right - r)} ${bottom}H${round(left + r)}A${r} ${r} 0 0 1 ${left} ${round(bottom - r)}V${round(top + r)}A${r} ${r} 0 0 1 ${round(left + r)} ${top}Z`;
    }
  }
}

/** Return the path of a polygon. */
export function polygon(points) {
  return `M${points.map(([x, y]) => `${round(x)} ${round(y)}`).join("L")}Z`;
}

/** Return the parts of a colour, 0 to 255. */
function parts(colour) {
  const hex = colour.replace("#", "");
  const full = hex.length === 3 ? [...hex].map((letter) => letter + letter).join("") : hex;
  return [0, 2, 4].map((at) => parseInt(full.slice(at, at + 2), 16));
}

/** Return how bright a colour looks, 0 to 1. */
export function brightness(colour) {
  const [r, g, b] = parts(colour).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return the ink that can be read best on a colour. */
export function inkOn(colour) {
  const bright = brightness(colour);
  return (bright + 0.05) / 0.0565 >= 1.05 / (bright + 0.05) ? "#14161b" : "#ffffff";
}

/** Return a colour mixed with another, `share` of the first. */
export function mix(colour, other, share) {
  const [a, b] = [parts(colour), parts(other)];
  return `#${a.map((value, at) => Math.round(value * share + b[at] * (1 - share)).toString(16).padStart(2, "0")).join("")}`;
}

// Eight patterns, each light and dark, so that they show on any colour, and in the ink of the page for places.
const DRAWN = [
  html`<path d="M0 .06H.24" />`,
  html`<path d="M.06 0V.24" />`,
  html`<path d="M-.06 .06L.06 -.06M-.02 .26L.26 -.02M.18 .3L.3 .18" />`,
  html`<path d="M-.06 .18L.06 .3M-.02 -.02L.26 .26M.18 -.06L.3 .06" />`,
  html`<path d="M0 .06H.24M.06 0V.24" />`,
  html`<path d="M0 .12L.12 0L.24 .12L.12 .24Z" />`,
  html`<circle cx=".12" cy=".12" r=".03" />`,
  html`<path d="M0 .16L.06 .08L.12 .16L.18 .08L.24 .16" />`,
];

const TONES = { light: ["#ffffff", 0.34], dark: ["#000000", 0.2], ink: ["var(--ink)", 0.2] };

/** The patterns, once for the page. */
export function Patterns() {
  return html`<svg width="0" height="0" class="unseen" aria-hidden="true"><defs>
    ${Object.entries(TONES).flatMap(([tone, [stroke, opacity]]) => DRAWN.map((drawn, number) => html`
      <pattern id=${`pattern-${tone}-${number}`} width=".24" height=".24" patternUnits="userSpaceOnUse"
        fill="none" style=${{ stroke }} stroke-opacity=${opacity} stroke-width=".035">${drawn}</pattern>`))}
  </defs></svg>`;
}

/** Return the size of a text that must fit into a width and a height. */
export function fitted(text, w, h) {
  return round(Math.min(h * 0.62, w / Math.max(1, 0.66 * [...String(text)].length)));
}

/** A text in the middle of a box. */
export function Words({ text, x, y, w, h, fill, kind = "printed" }) {
  return html`<text class=${kind} x=${round(x)} y=${round(y)} font-size=${fitted(text, w, h)} fill=${fill}>${text}</text>`;
}

/** One piece around (x, y). `kind` is an entry of the scene's kinds, `kinds` all of them for the marks on its face. */
export function Piece({ kind, kinds, x, y, w, h, poly, plain }) {
  const shape = poly ? polygon(poly) : outline(kind.shape, x, y, w, h);
  const dark = brightness(kind.colour) < 0.4;
  const rim = mix(kind.colour, "#000000", 0.55);
  if (kind.face?.length) return html`<${Face} kind=${kind} kinds=${kinds} x=${x} y=${y} w=${w} h=${h} />`;
  const small = kind.shape === "rhombus" || kind.shape === "hexagon" || kind.shape === "circle" ? 0.72 : 0.86;
  return html`<g class="piece">
    <path d=${shape} fill=${kind.colour} stroke=${rim} stroke-width=".035" />
    <path d=${shape} fill=${`url(#pattern-${dark ? "light" : "dark"}-${(kind.pattern ?? 0) % 8})`} />
    ${!plain && kind.symbol && html`<${Words} text=${kind.symbol} kind="letter" x=${x} y=${y} w=${Math.min(w, h * 1.4) * small} h=${Math.min(h, w * 1.4) * small} fill=${inkOn(kind.colour)} />`}
  </g>`;
}

/** A back: a piece that is not seen, with the letter of what it shows and the number of those lying there. */
export function Back({ kind, x, y, w, h, count }) {
  const colour = kind?.colour ?? "#6f7f96";
  const shape = kind?.shape ?? "square";
  const printed = [kind?.symbol, count > 1 ? count : null].filter(Boolean);
  return html`<g class="piece back">
    <path d=${outline(shape, x, y, w, h)} fill=${colour} stroke=${mix(colour, "#000000", 0.5)} stroke-width=".04" />
    <path d=${outline(shape, x, y, w * 0.74, h * 0.74)} fill="none" stroke=${mix(colour, "#ffffff", 0.4)} stroke-width=".035" stroke-dasharray=".08 .06" />
    ${printed.map((text, number) => html`<${Words} text=${text} kind="letter" x=${x} y=${printed.length > 1 ? y + (number - 0.5) * h * 0.36 : y} w=${w * 0.7} h=${(h * 0.7) / printed.length ** 0.5} fill=${inkOn(colour)} />`)}
  </g>`;
}

function Face({ kind, kinds, x, y, w, h }) {
  const base = kind.colour ?? "#fffaef";
  const rim = "#4a4438";
  const colours = kind.face.map((mark) => kinds[mark]?.colour);
  if (kind.shape === "circle" && kind.face.length === 2 && colours.every(Boolean)) {
    const r = round(Math.min(w, h) / 2);
    const half = (sweep) => `M${round(x)} ${round(y - r)}A${r} ${r} 0 0 ${sweep} ${round(x)} ${round(y + r)}Z`;
    return html`<g class="piece">
      ${[0, 1].map((at) => html`<path d=${half(at)} fill=${colours[at]} stroke=${rim} stroke-width=".03" />
        <${Words} text=${kinds[kind.face[at]].symbol} kind="letter" x=${x + (at ? 1 : -1) * r * 0.46} y=${y} w=${r * 0.9} h=${r * 0.95} fill=${inkOn(colours[at])} />`)}
    </g>`;
  }
  if (kind.face.length === 1 && kind.shape !== "card") {
    const mark = kinds[kind.face[0]];
    if (mark) return html`<${Piece} kind=${{ ...mark, shape: kind.shape, face: null }} kinds=${kinds} x=${x} y=${y} w=${w} h=${h} />`;
  }
  if (kind.shape === "card") {
    const [corner, middle] = kind.face;
    const sign = kinds[middle] ?? { symbol: middle };
    const letter = kinds[corner]?.symbol ?? corner;
    const ink = sign.colour && brightness(sign.colour) < 0.55 ? sign.colour : "#20242d";
    return html`<g class="piece">
      <path d=${outline("card", x, y, w, h)} fill="#fffdf6" stroke=${rim} stroke-width=".03" />
      ${[-1, 1].map((end) => html`<${Words} text=${letter} kind="letter" x=${x + end * w * 0.34} y=${y + end * h * 0.37} w=${w * 0.28} h=${h * 0.3} fill=${ink} />`)}
      ${kind.face.length > 1 && html`<${Words} text=${sign.symbol ?? middle} kind="letter" x=${x} y=${y} w=${w * 0.75} h=${h * 0.6} fill=${ink} />`}
    </g>`;
  }
  const marks = kind.face;
  const across = kind.across || marks.length;
  const down = Math.ceil(marks.length / across);
  const [cw, ch] = [(w * 0.94) / across, (h * 0.94) / down];
  return html`<g class="piece">
    <path d=${outline("card", x, y, w, h)} fill=${mix(base, "#ffffff", 0.25)} stroke=${rim} stroke-width=".04" />
    ${marks.map((mark, at) => {
      const [cx, cy] = [x - w * 0.47 + cw * ((at % across) + 0.5), y - h * 0.47 + ch * (Math.floor(at / across) + 0.5)];
      const shown = kinds[mark];
      const pale = shown?.colour ? mix(shown.colour, "#ffffff", 0.5) : "#ffffff";
      return html`<path d=${outline("square", cx, cy, cw * 0.9, ch * 0.9)} fill=${pale} />
        <${Words} text=${shown?.symbol ?? mark} kind="letter" x=${cx} y=${cy} w=${cw * 0.8} h=${ch * 0.9} fill=${inkOn(pale)} />`;
    })}
  </g>`;
}

/** A kind as a small sign within a line of text. */
export function Sign({ kind, kinds }) {
  const [w, h] = { rhombus: [0.72, 1.2], card: [0.84, 1.2] }[kind.shape] ?? [1, 1];
  const most = Math.max(w, h);
  return html`<span class="sign" role="img" aria-label=${kind.label}><svg viewBox=${`${-most / 2 - 0.02} ${-most / 2 - 0.02} ${most + 0.04} ${most + 0.04}`} aria-hidden="true">
    <${Piece} kind=${kind} kinds=${kinds} x=${0} y=${0} w=${w} h=${h} /></svg></span>`;
}
