// The scene: what the server says is to be drawn. Changes are applied, things found by their ids.

/** Return the scene after a change. What did not change stays the same object, so that it is not drawn again. */
export function applyChange(scene, change) {
  const { things = {}, blocks = {}, areas = {}, kinds, ...top } = change;
  const news = new Map();
  for (const thing of Object.values(things)) if (thing) news.set(thing.block, [...(news.get(thing.block) ?? []), thing]);
  const gone = new Set(Object.keys(things).filter((id) => !things[id]));
  const next = scene.areas.map((area) => {
    const { order, ...fields } = areas[area.id] ?? {};
    const known = new Map(area.blocks.map((block) => [block.id, block]));
    const all = (order ?? [...known.keys()]).map((id) => changed(known.get(id), blocks[id], news.get(id) ?? [], gone));
    const same = !order && all.every((block, at) => block === area.blocks[at]);
    return same && !areas[area.id] ? area : { ...area, ...fields, blocks: same ? area.blocks : all };
  });
  return { ...scene, ...top, kinds: kinds ? { ...scene.kinds, ...kinds } : scene.kinds, areas: next };
}

/** Return a block with what is new of it; one that was not there before is given whole. */
function changed(block, parts, news, gone) {
  if (!block) return parts;
  if (!news.length && !block.things.some(({ id }) => gone.has(id))) return parts ? { ...block, ...parts } : block;
  const fresh = new Map(news.map((thing) => [thing.id, thing]));
  const kept = block.things.filter(({ id }) => !gone.has(id)).map((thing) => fresh.get(thing.id) ?? thing);
  const known = new Set(block.things.map(({ id }) => id));
  const all = [...kept, ...news.filter(({ id }) => !known.has(id))];
  return { ...block, ...parts, things: [...all.filter(({ behind }) => behind), ...all.filter(({ behind }) => !behind)] };
}

/** Return Map id → {thing, block, area} of everything drawn; places that are only named have no block. */
export function placesOf(scene) {
  const found = new Map();
  for (const area of scene.areas) {
    for (const block of area.blocks) for (const thing of block.things) found.set(thing.id, { thing, block, area });
    for (const entry of area.empty) found.set(entry.id, { thing: { ...entry, pieces: [], label: `${entry.title}: nothing` }, area });
  }
  return found;
}

/** Cut an id into the place and the kind of piece on it, if it names one. */
export function cut(id) {
  const at = id.lastIndexOf("/");
  return at < 0 ? [id, null] : [id.slice(0, at), id.slice(at + 1)];
}

/** Return the moves with only those touches that can be clicked; what is not drawn tells nothing apart. */
export function clickable(moves, places) {
  const drawn = (id) => {
    const [place, kind] = cut(id);
    const found = places.get(place);
    return Boolean(found) && (kind === null || found.thing.pieces.some((piece) => piece.kind === kind));
  };
  const only = (ids) => Object.fromEntries(Object.entries(ids ?? {}).filter(([id]) => drawn(id)));
  return moves.map((move) => ({ ...move, touch: only(move.touch), several: only(move.several) }));
}

/** Return how a thing that can be picked is called. */
export function nameOf(id, places, kinds) {
  const [place, kind] = cut(id);
  const found = places.get(place);
  if (!found) return id;
  const owner = found.area.player ? `player ${found.area.player}: ` : "";
  if (kind === null) return owner + found.thing.label;
  const many = found.thing.pieces.filter((piece) => piece.kind === kind).reduce((sum, piece) => sum + (piece.n || 1), 0);
  return `${many > 1 ? `${many} ` : ""}${kinds[kind]?.label ?? kind}, ${owner}${found.thing.label}`;
}

/** Return a move's text as plain words. */
export function plainText(text) {
  return text.map((part) => (typeof part === "string" ? part : part.text)).join("");
}
