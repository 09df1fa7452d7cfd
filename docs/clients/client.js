// Plays a game through `rulespec engine`: node client.js base. Everybody plays at random; the client deals, too.
const { spawn } = require("node:child_process");
const readline = require("node:readline");

const [program, ...first] = (process.env.RULESPEC || "rulespec").split(" ");
const engine = spawn(program, [...first, "engine", ...process.argv.slice(2)], { stdio: ["pipe", "pipe", "inherit"] });
const lines = readline.createInterface({ input: engine.stdout })[Symbol.asyncIterator]();

async function ask(request, fields) {
  engine.stdin.write(JSON.stringify({ id: request, do: request, ...fields }) + "\n");
  const { value } = await lines.next();
  const { ok, error } = value === undefined ? { error: { code: "ended", message: "no answer" } } : JSON.parse(value);
  if (error) throw new Error(`${error.code}: ${error.message}`);
  return ok;
}

async function main() {
  let state = await ask("new", { seed: null }); // chance waits to be played like any player
  while (state.to_move !== null) {
    const chance = state.to_move === "chance";
    const weighted = chance ? (await ask("chances")).chances : (await ask("moves")).moves.map((move) => ({ move, weight: 1 }));
    let luck = Math.random() * weighted.reduce((sum, choice) => sum + choice.weight, 0);
    const { move } = weighted.find((choice) => (luck -= choice.weight) < 0) || weighted[0];
    ({ state } = await ask("play", { move }));
  }
  console.log(JSON.stringify(state.outcome));
  await ask("quit");
}
main().catch((error) => (console.error(error.message), process.exit(1)));
