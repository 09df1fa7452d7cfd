// What a click means: which moves are left, which things are live, which moves are buttons. Knows ids and counts, no rules.
//
// A move says what it touches: `touch` has the rank of each thing (the earliest choice in it), `several` how many pieces
// of it are chosen together. Picks are a Map from id to how often it was picked.

/** Return how many picks of `id` a move takes. */
export function need(move, id) {
  return move.several?.[id] ?? (move.touch && id in move.touch ? 1 : 0);
}

/** Return every id that a move touches. */
export function touched(move) {
  return new Set([...Object.keys(move.touch ?? {}), ...Object.keys(move.several ?? {})]);
}

/** Return the moves that take at least what is picked. */
export function movesLeft(moves, picks) {
  return moves.filter((move) => [...picks].every(([id, count]) => need(move, id) >= count));
}

/**
 * Return what can be done now: `left`, the moves that fit the picks; `live`, Map id → {rank, count} of the things that tell moves apart;
 * `buttons`, the moves that need no further pick.
 *
 * A thing that every move left takes is shared: it counts as picked, as often as all of them take it.
 */
export function choices(moves, picks) {
  const left = movesLeft(moves, picks);
  const ids = new Map(); // id → {least, most, rank}
  for (const move of left) {
    for (const id of touched(move)) {
      const rank = move.touch?.[id] ?? 0;
      const seen = ids.get(id);
      const count = need(move, id);
      if (!seen) ids.set(id, { least: count, most: count, rank, moves: 1 });
      else {
        seen.least = Math.min(seen.least, count);
        seen.most = Math.max(seen.most, count);
        seen.rank = Math.min(seen.rank, rank);
        seen.moves += 1;
      }
    }
  }
  const held = new Map(); // id → how often it counts as picked
  const live = new Map();
  for (const [id, { least, most, rank, moves: number }] of ids) {
    const shared = number === left.length ? least : 0;
    const count = Math.max(picks.get(id) ?? 0, shared);
    held.set(id, count);
    if (most > count) live.set(id, { rank, count });
  }
  const buttons = left.filter((move) => [...touched(move)].every((id) => need(move, id) <= (held.get(id) ?? 0)));
  const lowest = Math.min(...[...live.values()].map(({ rank }) => rank));
  for (const entry of live.values()) entry.strong = entry.rank === lowest;
  return { left, live, buttons };
}

/** Return the picks after a click on `id`: one more of a live thing, or without one that was picked. */
export function picked(moves, picks, id) {
  const next = new Map(picks);
  const { live } = choices(moves, picks);
  if (live.has(id)) next.set(id, live.get(id).count + 1);
  else next.delete(id);
  return next;
}
