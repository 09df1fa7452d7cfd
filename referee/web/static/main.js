// The one page: the lobby, a table or the workshop, by the address.
import { html, render } from "./vendor/ui.js";
import { Lobby } from "./lobby.js";
import { showTheme } from "./kept.js";

showTheme();
const app = document.getElementById("app");
const [, first, second] = location.pathname.split("/");
if (first === "table" && second) {
  const { TablePage } = await import("./table.js");
  render(html`<${TablePage} id=${decodeURIComponent(second)} />`, app);
} else if (first === "workshop") {
  const { Workshop } = await import("./workshop.js");
  render(html`<${Workshop} />`, app);
} else render(html`<${Lobby} />`, app);
// a link to another seat of the same table differs in its fragment alone
if (first === "table") globalThis.addEventListener("hashchange", () => location.reload());
