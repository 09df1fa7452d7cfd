// How large everything is drawn: reckoned from the sizes of the blocks, without trying on the page.
//
// A block is `w` by `h` in units of a piece. An area is a panel of blocks: the table, or a player's board.

export const BETWEEN = 0.5; // units between blocks of a row
export const GAP = 12; // pixels between rows, panels and around them
export const HEAD = 44; // pixels of the head of a player's board
const FRAME = 2 * GAP + 2; // pixels of a panel's padding and rim
const LARGEST = 84; // pixels of a unit
const SMALLEST = 19; // below it the page scrolls instead,
const COMFORT = 30; // with units up to this
const SHARES = [0.75, 0.6, 0.5, 0.4]; // other players' boards, as a share of one's own

/** Return rows of blocks within `width` units: small blocks flow, large ones stand alone unless `wide`. */
export function flow(blocks, width, wide) {
  const rows = [];
  let open = null;
  let used = 0;
  for (const block of blocks) {
    const alone = !block.small && !wide;
    if (open && !alone && used + BETWEEN + block.w <= width + 1e-6) {
      open.push(block);
      used += BETWEEN + block.w;
    } else {
      const row = [block];
      rows.push(row);
      open = alone ? null : row;
      used = block.w;
    }
  }
  return rows;
}

const span = (row) => row.reduce((sum, block) => sum + block.w, BETWEEN * (row.length - 1));

/** Return the size of rows: units across and down, and the pixels between them. */
export function extent(rows) {
  return {
    rows,
    w: Math.max(1, ...rows.map(span)),
    h: rows.reduce((sum, row) => sum + Math.max(...row.map((block) => block.h)), 0),
    px: Math.max(0, rows.length - 1) * GAP,
  };
}

/** Return the ways worth considering to lay out an area: as narrow as its widest block, and some that are wider. */
export function ways(blocks) {
  const widest = Math.max(1, ...blocks.map((block) => block.w));
  const all = span(blocks);
  const wanted = [[widest, false], [widest * 1.25, false], [widest, true], [widest * 1.35, true], [widest * 1.7, true], [all / 2, true], [all, true]];
  return wanted.filter(([width]) => width >= widest - 1e-6).map(([width, wide]) => extent(flow(blocks, width, wide)));
}

/**
 * Return the plan for a desktop: `unit` in pixels, `share` of it for the other boards, their `columns`, whether the table lies `above`, and the `rows` of each area.
 * The largest unit with which all fits wins, weighed with how small the others become; where that would be too small to see, the page is as high as it needs.
 * `chips` is the height of the lines below an area in pixels.
 */
export function planWide(areas) {
  const plan = planFor(areas, areas.height);
  if (plan.unit >= SMALLEST) return plan;
  const longer = planFor(areas, 4 * areas.height);
  return { ...longer, unit: Math.min(longer.unit, COMFORT) };
}

function planFor({ table, own, others, width, chips = 0 }, height) {
  const none = [{ w: 0, h: 0, px: 0, rows: [], none: true }];
  const tables = table.length ? ways(table) : none;
  const owns = own?.length ? ways(own) : none;
  const narrow = others.map((blocks) => extent(flow(blocks, Math.max(1, ...blocks.map((block) => block.w)), false)));
  let best = null;
  for (const share of !others.length ? [1] : own ? SHARES : [1]) {
    for (let columns = Math.min(1, others.length); columns <= Math.min(others.length, 6); columns += 1) {
      const side = sideways(narrow, columns, share);
      for (const t of tables) {
        for (const o of owns) {
          for (const above of t.none ? [false] : [false, true]) {
            const unit = Math.min(LARGEST, above ? fitAbove(t, o, side, width, height, chips) : fitBeside(t, o, side, width, height, chips));
            const worth = unit * (0.6 + 0.4 * share);
            if (!best || worth > best.worth + 1e-6) best = { unit, worth, share, columns, above, table: t.rows, own: o.rows };
          }
        }
      }
    }
  }
  return { ...best, unit: Math.max(1, Math.floor(best.unit * 4) / 4), others: narrow.map(({ rows }) => rows) };
}

/** Return the room of the other boards in so many columns: units (already shrunk) and pixels. */
function sideways(sizes, columns, share) {
  const heights = [];
  const widths = [];
  sizes.forEach((size, number) => {
    const column = number % columns;
    heights[column] ??= { h: 0, px: -GAP };
    heights[column].h += size.h * share;
    heights[column].px += size.px + HEAD + FRAME + GAP;
    widths[column] = Math.max(widths[column] ?? 0, size.w * share);
  });
  return { w: widths.reduce((a, b) => a + b, 0), px: widths.length * (FRAME + GAP), heights };
}

const down = (size, room) => (size.none ? Infinity : (room - size.px - FRAME) / Math.max(size.h, 0.1));

function fitBeside(t, o, side, width, height, chips) {
  const frames = (t.none ? 0 : FRAME + GAP) + (o.none ? 0 : FRAME + GAP) + side.px;
  const across = (width - frames) / (t.w + o.w + side.w);
  const sides = side.heights.map(({ h, px }) => (height - px - chips) / h);
  return Math.min(across, down(t, height - chips), down(o, height - HEAD - chips), ...sides);
}

function fitAbove(t, o, side, width, height, chips) {
  const frames = (o.none ? 0 : FRAME + GAP) + side.px;
  const across = Math.min((width - FRAME - GAP) / t.w, o.w + side.w > 0 ? (width - frames) / (o.w + side.w) : Infinity);
  const room = height - t.px - FRAME - GAP - chips;
  const own = o.none ? (room - HEAD) / t.h : (room - o.px - FRAME - HEAD - chips) / (t.h + o.h);
  const sides = side.heights.map(({ h, px }) => (room - px - chips) / (t.h + h));
  return Math.min(across, own, ...sides);
}

/**
 * Return the unit of one block on a phone: large blocks take the full width, small ones a comfortable size.
 * `beside` are the small blocks of the area: where they are few, they are as large as lets them stand in one row.
 */
export function unitNarrow(block, width, share = 1, beside = []) {
  const full = width / block.w;
  if (!block.small) return Math.min(full, 46 * share);
  const row = (width - GAP * (beside.length - 1)) / beside.reduce((sum, { w }) => sum + w, 0);
  return Math.min(full, Math.max(30, Math.min(46, row)) * share);
}
