// The connection to the server: requests over HTTP, and a socket that reconnects by itself.

/** Ask the server over HTTP. Return its answer; a refusal is thrown as `Refused`. */
export async function ask(path, body, { keys, signal, method } = {}) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (keys?.length) headers.Authorization = `Bearer ${keys.join("+")}`;
  let response;
  try {
    response = await fetch(path, {
      method: method ?? (body === undefined ? "GET" : "POST"), headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused({ code: "lost", message: "the server does not answer" });
  }
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    if (response.ok) return text;
    throw new Refused({ code: "bad-answer", message: `the server answered with status ${response.status}` });
  }
  if (!response.ok) throw new Refused(answer.error ?? { code: "bad-answer", message: `status ${response.status}` });
  return answer;
}

/** A refusal of the server: `code`, `message`, and what else it said. */
export class Refused extends Error {
  constructor(said) {
    super(said.message);
    this.code = said.code;
    this.said = said;
  }
}

const FINAL = new Set([4400, 4401, 4404, 4409, 4410]); // closed for good: reconnecting would not help
const PAUSES = [500, 1000, 2000, 4000, 8000, 15000];

/**
 * Connect to a table. `tell(message)` gets what the server says unasked; `state({how, …})` how the line is: `joining`, `open`, `lost` (with `tries`), `gone` (with `why`).
 * Return {send, close, retry}; `send(what, fields)` is a promise of the answer. Nothing is kept for later while the line is down.
 */
export function connect({ table, keys, look, tell, state }) {
  let socket = null;
  let number = 0;
  let tries = 0;
  let version;
  let timer = 0;
  let stopped = false;
  let pulse = 0;
  let wanted = look;
  const open = new Map(); // request → {done, fail}

  const drop = (code, message) => {
    for (const { fail } of open.values()) fail(new Refused({ code, message }));
    open.clear();
  };
  const gone = (why) => {
    stopped = true;
    state({ how: "gone", why });
  };
  const request = (what, fields = {}) =>
    new Promise((done, fail) => {
      if (socket?.readyState !== WebSocket.OPEN) {
        fail(new Refused({ code: "lost", message: "not connected: nothing was sent" }));
        return;
      }
      number += 1;
      open.set(number, { done, fail });
      socket.send(JSON.stringify({ do: what, id: number, ...fields }));
    });

  const start = () => {
    state({ how: tries ? "lost" : "joining", tries });
    const line = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`, "rulespec.1");
    let bye = null;
    socket = line;
    line.onopen = () => {
      const joining = { table, keys: keys.current };
      if (wanted !== undefined) joining.look = wanted;
      if (version !== undefined) joining.version = version;
      request("join", joining).then(
        () => {
          tries = 0;
          state({ how: "open" });
        },
        (error) => {
          if (error.code !== "lost") gone(error.message);
        },
      );
      clearInterval(pulse);
      pulse = setInterval(() => request("ping").catch(() => {}), 20000);
    };
    line.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.re !== undefined) {
        const waiting = open.get(message.re);
        open.delete(message.re);
        if (message.error) waiting?.fail(new Refused(message.error));
        else waiting?.done(message.ok);
      } else if (message.tell === "bye") bye = message;
      else {
        if (message.tell === "whole" || (message.tell === "change" && message.from === version)) version = message.version;
        tell(message);
      }
    };
    line.onclose = (event) => {
      clearInterval(pulse);
      if (socket !== line) return;
      drop("lost", "the connection was lost; whether the server heard this is not known yet");
      if (stopped) return;
      if (FINAL.has(event.code)) {
        gone(bye?.message ?? { 4401: "this link is not valid any more", 4404: "there is no such table", 4410: "the host has closed this table" }[event.code] ?? "the server closed the connection");
        return;
      }
      const pause = event.code === 4429 ? 60000 : PAUSES[Math.min(tries, PAUSES.length - 1)];
      tries += 1;
      state({ how: "lost", tries });
      timer = setTimeout(start, pause * (0.8 + 0.4 * Math.random()));
    };
  };
  const retry = () => {
    if (stopped || socket?.readyState === WebSocket.OPEN || socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(timer);
    start();
  };
  const visible = () => document.visibilityState === "visible" && retry();
  globalThis.addEventListener("online", retry);
  document.addEventListener("visibilitychange", visible);
  start();
  return {
    send: request,
    retry,
    look(seat) {
      wanted = seat;
      version = undefined; // another seat sees another scene
      return request("look", { seat });
    },
    close() {
      stopped = true;
      clearTimeout(timer);
      clearInterval(pulse);
      globalThis.removeEventListener("online", retry);
      document.removeEventListener("visibilitychange", visible);
      socket?.close();
    },
  };
}
