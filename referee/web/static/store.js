// What the browser knows of a table: what the server told, and nothing worked out ahead of it.
import { useEffect, useMemo, useReducer, useRef, useState } from "./vendor/ui.js";
import { applyChange } from "./scene.js";
import { connect } from "./wire.js";

/** Return the table after a message; null means: it does not fit, ask for the whole. */
export function heard(known, message) {
  switch (message.tell) {
    case "whole":
      return { here: known?.here ?? [], onlookers: known?.onlookers ?? 0, ...message, events: message.events ?? [], lines: message.log.lines };
    case "change": {
      if (known?.version === undefined || message.from !== known.version) return null;
      const { change, events, log, tell, from, ...fields } = message;
      const scene = change ? applyChange(known.scene, change) : known.scene;
      const lines = log ? [...known.lines.filter((line) => line.number <= log.keep), ...log.lines] : known.lines;
      return { ...known, ...fields, scene, lines, events: events ?? [] };
    }
    case "here":
      return { ...known, here: message.here, onlookers: message.onlookers }; // it may come before the whole
    default:
      return known;
  }
}

/**
 * Connect to a table and follow it. Return {known, line, send, look}: what is known, how the line is, and how to ask.
 * `keys` are the keys of this browser; a renewed one is reported by `renewed`.
 */
export function useTable(table, keys, look) {
  const [line, setLine] = useState({ how: "joining" });
  const [, redraw] = useReducer((count) => count + 1, 0);
  const known = useRef(null);
  const ring = useRef({ current: keys });
  ring.current.current = keys;
  const [wire, setWire] = useState(null);
  useEffect(() => {
    if (!table) return undefined;
    known.current = null;
    let asked = false;
    const tell = (message) => {
      const next = heard(known.current, message);
      if (message.tell === "whole") asked = false;
      if (next === null && message.tell === "change") {
        if (!asked) line.send("whole").catch(() => {});
        asked = true;
        return;
      }
      known.current = next;
      redraw();
    };
    const line = connect({ table, keys: ring.current, look, tell, state: setLine });
    setWire(line);
    return () => line.close();
  }, [table, keys.join("+")]);
  return useMemo(
    () => ({ known: known.current?.version === undefined ? null : known.current, line, send: wire?.send, look: wire?.look, retry: wire?.retry }),
    [known.current, line, wire],
  );
}
