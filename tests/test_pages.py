"""The pages in a real browser: the table and the workshop, by clicks, touch and keys."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from interpreter import CHANCE, State
from referee.picture.scene import Painter
from rulespec import shipped_games
from tests.pages import DESKTOP, PHONE, Hand, Site, Watched, open_page
from tests.shipped import game_of
from tests.sizes import SOAK, size

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOUR = ("base", "duel", "pavilion", "sintra")
SOME = FOUR if SOAK else ("base", "classics/kalah")

# Picking: knows ids and counts, no rules ------------------------------------------------------------------

PICKING: list[tuple[str, list[dict[str, Any]], dict[str, int], list[str], list[str]]] = [
    ("nothing picked: what tells moves apart is live",
     [{"do": "a", "touch": {"x": 0, "p": 1}}, {"do": "b", "touch": {"x": 0, "q": 1}}, {"do": "c", "touch": {}}], {}, ["p", "q", "x"], ["c"]),
    ("what all moves take counts as picked",
     [{"do": "a", "touch": {"x": 0, "p": 1}}, {"do": "b", "touch": {"x": 0, "q": 1}}], {}, ["p", "q"], []),
    ("a pick that leaves one move makes it a button",
     [{"do": "a", "touch": {"x": 0, "p": 1}}, {"do": "b", "touch": {"x": 0, "q": 1}}], {"p": 1}, [], ["a"]),
    ("pieces are picked one by one, and fewer may do",
     [{"do": "one", "several": {"h/r": 1}}, {"do": "two", "several": {"h/r": 2}}, {"do": "no", "several": {}}], {"h/r": 1}, ["h/r"], ["one"]),
    ("a touch counts as one of several",
     [{"do": "lay", "touch": {"h/r": 0, "b": 1}}, {"do": "two", "several": {"h/r": 2}}], {"h/r": 1}, ["b", "h/r"], []),
    ("two picks of a kind leave out what takes one",
     [{"do": "lay", "touch": {"h/r": 0, "b": 1}}, {"do": "two", "several": {"h/r": 2}}], {"h/r": 2}, [], ["two"]),
]  # fmt: skip


@pytest.fixture(scope="module")
def plain(browser: Browser, site: Site) -> Page:
    """A page in which modules are tried and scenes are drawn without a table."""
    return page_to_draw_on(browser, site, DESKTOP)


def page_to_draw_on(browser: Browser, site: Site, size_: tuple[int, int]) -> Page:
    """Return a page that has drawn its own contents: whatever a test draws there, it stays."""
    page = open_page(browser, size_)
    page.goto(f"{site.address}/workshop")
    page.wait_for_selector("#app > *", state="attached")
    return page


@pytest.mark.parametrize(
    ("moves", "picks", "live", "buttons"), [case[1:] for case in PICKING], ids=[case[0] for case in PICKING]
)
def test_picking__case(
    plain: Page, moves: list[Any], picks: dict[str, int], live: list[str], buttons: list[str]
) -> None:
    script = """async ([moves, picks]) => {
      const { choices } = await import("/static/pick.js");
      const now = choices(moves, new Map(Object.entries(picks)));
      return [[...now.live.keys()].sort(), now.buttons.map((move) => move.do)];
    }"""
    assert plain.evaluate(script, [moves, picks]) == [live, buttons]


def test_link__a_text_comes_back_and_a_bomb_does_not(plain: Page) -> None:
    script = """async (text) => {
      const { packed, unpacked } = await import("/static/link.js");
      const bomb = await packed("a".repeat(2000000));
      return [await unpacked(await packed(text)), bomb.length, await unpacked(bomb).then(() => "unpacked", (error) => error.name)];
    }"""
    text, letters, refused = plain.evaluate(script, "game: Bäume 🌳\n" * 50)
    assert text == "game: Bäume 🌳\n" * 50
    assert letters < 10_000
    assert refused == "RangeError"


def test_markdown__is_never_read_as_html(plain: Page) -> None:
    script = """async (text) => {
      const { render } = await import("/static/vendor/ui.js");
      const { markdown } = await import("/static/markdown.js");
      const place = document.createElement("div");
      render(markdown(text), place);
      return [place.querySelectorAll("img, script, a").length, place.innerText];
    }"""
    count, text = plain.evaluate(
        script, "# A <img src=x onerror=alert(1)>\n\n- `code` **bold** [x](javascript:alert(1)) ~~<script>~~"
    )
    assert count == 0
    assert "<img src=x onerror=alert(1)>" in text and "<script>" in text


def test_markdown__lists_stand_within_lists(plain: Page) -> None:
    script = """async (text) => {
      const { render } = await import("/static/vendor/ui.js");
      const { markdown } = await import("/static/markdown.js");
      const place = document.createElement("div");
      render(markdown(text), place);
      return place.innerHTML;
    }"""
    assert plain.evaluate(script, "- a\n  - b ~~c~~\n    d\n- e") == (
        "<ul><li>a<ul><li>b <del>c</del> d</li></ul></li><li>e</li></ul>"
    )


# Scenes that are drawn: geometry, and what can be reached by clicks ----------------------------------------


def positions(game: Any, number: int, seed: int) -> list[State]:
    """Return positions of random games at which a player decides, spread over the games."""
    found: list[State] = []
    chance = random.Random(seed)
    while len(found) < number:
        state, gap = game.start(chance.randrange(10**6)), chance.randrange(1, 9)
        while state.to_move is not None and len(found) < number:
            moves = game.legal_moves(state)
            if state.to_move != CHANCE:
                gap -= 1
                if gap == 0:
                    found.append(state)
                    gap = chance.randrange(1, 9)
            state = game.apply(state, chance.choice(moves))
    return found


REACHED = """async (text) => {
  const { choices, picked } = await import("/static/pick.js");
  const { clickable, placesOf } = await import("/static/scene.js");
  const missing = [];
  const once = (known, key, work) => known.get(key) ?? known.set(key, work()).get(key);
  for (const scene of JSON.parse(text)) {
    const moves = clickable(scene.moves, placesOf(scene));
    const [shown, clicked] = [new Map(), new Map()]; // by picks: many moves begin with the same clicks
    for (const wanted of moves) {
      // click what the move touches, least rank first, as long as it is live
      let picks = new Map();
      for (let step = 0; step < 40; step += 1) {
        const key = JSON.stringify([...picks]);
        const now = once(shown, key, () => choices(moves, picks));
        if (now.buttons.includes(wanted)) { picks = null; break; }
        const ids = [...new Set([...Object.keys(wanted.touch), ...Object.keys(wanted.several)])];
        const need = (id) => wanted.several[id] ?? 1;
        const next = ids.filter((id) => now.live.has(id) && now.live.get(id).count < need(id))[0];
        if (!next) break;
        picks = once(clicked, `${key} ${next}`, () => picked(moves, picks, next));
      }
      if (picks) missing.push(wanted.do);
    }
  }
  return missing;
}"""


@pytest.mark.sized
@pytest.mark.parametrize("name", shipped_games() if SOAK else SOME)
def test_picking__every_legal_move_can_be_clicked(plain: Page, name: str) -> None:
    game = game_of(name)
    painter = Painter(game)
    scenes = [painter.scene(state, state.to_move) for state in positions(game, size(3, 200), 7)]
    assert all(scene["moves"] for scene in scenes)
    # as one text: an argument of many parts takes the driver a hundred times as long
    assert plain.evaluate(REACHED, json.dumps(scenes)) == []


DRAW = """async (scene) => {
  const { html, render } = await import("/static/vendor/ui.js");
  const { Table } = await import("/static/table.js");
  const seats = Array.from({ length: scene.players }, (_, at) => ({ player: at + 1, name: `Player ${at + 1}`, who: "human" }));
  const you = { seats: scene.you ? [scene.you] : [], look: scene.you, host: false, people: false };
  globalThis.version = (globalThis.version ?? 0) + 1;
  const known = {
    version: globalThis.version, table: { title: scene.game }, seats, here: [], onlookers: 0, you, made: 1, to_move: scene.to_move, waiting: "player", scene,
    lines: [], scores: {}, undo: null, may_undo: true, outcome: null, fault: null, events: [],
  };
  const session = { known, line: { how: "open" }, send: () => new Promise(() => {}), look: async () => {}, retry: () => {} };
  render(html`<div class="table"><${Table} session=${session} table="x" keys=${[]} /></div>`, document.getElementById("app"));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""

# what lies outside, on top of another, or cannot be hit
GEOMETRY = """() => {
  const wrong = [];
  const main = document.querySelector("main");
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  if (main.scrollWidth > main.clientWidth + 1) wrong.push(`the table is ${main.scrollWidth} wide in ${main.clientWidth}`);
  const blocks = [...document.querySelectorAll("svg.block")];
  const boxes = blocks.map((block) => block.getBoundingClientRect());
  const apart = (a, b, by) => a.right <= b.left + by || b.right <= a.left + by || a.bottom <= b.top + by || b.bottom <= a.top + by;
  boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b, k) => {
    if (!apart(a, b, 1)) wrong.push(`blocks ${blocks[i].dataset.block} and ${blocks[i + 1 + k].dataset.block} overlap`);
  }));
  blocks.forEach((block, i) => {
    const unit = boxes[i].width / block.viewBox.baseVal.width;
    for (const thing of block.querySelectorAll(".thing, .mark")) {
      const box = thing.getBoundingClientRect();
      const by = 0.12 * unit + 1;
      if (box.left < boxes[i].left - by || box.right > boxes[i].right + by || box.top < boxes[i].top - by || box.bottom > boxes[i].bottom + by)
        wrong.push(`${thing.dataset.thing ?? thing.getAttribute("aria-label")} lies outside of its block`);
    }
    const section = block.closest("section").getBoundingClientRect();
    for (const word of block.querySelectorAll("text.title, text.label")) {
      const box = word.getBoundingClientRect();
      if (box.left < section.left - 2 || box.right > section.right + 2) wrong.push(`the text ${word.textContent} leaves its board`);
    }
  });
  for (const target of document.querySelectorAll(".target")) {
    const box = target.getBoundingClientRect();
    if (box.width < 23.5 || box.height < 23.5) wrong.push(`${target.dataset.id} is ${box.width} by ${box.height}: too small for a finger`);
  }
  const head = [...document.querySelectorAll(".top, .bar")].map((one) => one.getBoundingClientRect());
  if (head.some((box) => box.right > innerWidth + 1 || box.bottom > innerHeight + 1)) wrong.push("head or bar leave the page");
  return wrong;
}"""

# things of one block that overlap: convex shapes are apart if a line parallel to an edge of one of them parts them
OVERLAP = """(scene) => {
  const wrong = [];
  const square = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  const hexagon = [0, 1, 2, 3, 4, 5].map((i) => [Math.sin(i * Math.PI / 3), -Math.cos(i * Math.PI / 3)]);
  const corners = (thing) => {
    const around = thing.shape === "hexagon" ? hexagon : square;
    const poly = thing.poly ?? around.map(([a, b]) => [thing.x + a * thing.w / 2, thing.y + b * thing.h / 2]);
    return poly.map(([x, y]) => [thing.x + (x - thing.x) * 0.97, thing.y + (y - thing.y) * 0.97]);
  };
  const parted = (a, b) => [a, b].some((shape) => shape.some(([x, y], at) => {
    const [u, v] = shape[(at + 1) % shape.length];
    const [nx, ny] = [v - y, x - u];
    const along = (points) => points.map(([p, q]) => p * nx + q * ny);
    return Math.max(...along(a)) <= Math.min(...along(b)) + 1e-9 || Math.max(...along(b)) <= Math.min(...along(a)) + 1e-9;
  }));
  for (const area of scene.areas) for (const block of area.blocks) {
    const front = block.things.filter((thing) => !thing.behind);
    front.forEach((a, i) => front.slice(i + 1).forEach((b) => {
      const circles = a.shape === "circle" && b.shape === "circle" && !a.poly && !b.poly;
      const far = Math.hypot(a.x - b.x, a.y - b.y) >= 0.97 * (Math.min(a.w, a.h) + Math.min(b.w, b.h)) / 2;
      if (circles ? !far : !parted(corners(a), corners(b))) wrong.push(`${a.id} and ${b.id} overlap`);
    }));
  }
  return wrong;
}"""


LOOKS = f"""async (text) => {{
  const [draw, geometry, overlap] = [{DRAW}, {GEOMETRY}, {OVERLAP}];
  const wrong = [];
  for (const scene of JSON.parse(text)) {{
    await draw(scene);
    wrong.push(...geometry(), ...overlap(scene));
  }}
  return [document.querySelectorAll(".area").length, wrong];
}}"""


def looks(page: Page, name: str, number: int) -> list[str]:
    """Return what is wrong with the pictures of positions of a game, as the player to move sees them."""
    game = game_of(name)
    painter = Painter(game)
    scenes = [painter.scene(state, state.to_move) for state in positions(game, number, 11)]
    areas, wrong = page.evaluate(LOOKS, json.dumps(scenes))
    assert areas
    return [f"{name}: {said}" for said in wrong]


@pytest.mark.sized
@pytest.mark.parametrize("size_", [DESKTOP, PHONE] if SOAK else [PHONE], ids=lambda size_: f"{size_[0]}x{size_[1]}")
def test_pictures__nothing_overlaps_or_leaves_the_page(browser: Browser, site: Site, size_: tuple[int, int]) -> None:
    page = page_to_draw_on(browser, site, size_)
    assert [said for name in SOME for said in looks(page, name, 2)] == []
    page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("name", shipped_games())
@pytest.mark.parametrize("size_", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_pictures__fifty_positions_of_everything_shipped(
    browser: Browser, site: Site, name: str, size_: tuple[int, int]
) -> None:
    page = page_to_draw_on(browser, site, size_)
    assert looks(page, name, 50) == []
    page.context.close()


# what is drawn, with its colours and without: pieces everywhere, places within their family
SIGNS = f"""async (text) => {{
  const draw = {DRAW};
  const found = [];
  const shapesOf = (element) => [...element.children].flatMap((one) => (one.tagName === "g" && !one.matches("[data-kind], .piece") ? shapesOf(one) : one));
  const look = (all) => {{
    const fills = all.filter((one) => one.tagName === "path").map((one) => one.style.fill || one.getAttribute("fill") || "");
    const patterns = fills.filter((fill) => fill.startsWith("url")).map((fill) => fill.replace(/light|dark|ink|[^a-z0-9]/g, ""));
    const letters = all.filter((one) => one.tagName === "text" && !one.matches(".number") && !(one.closest(".back") && Number(one.textContent))).map((one) => one.textContent);
    return [JSON.stringify([...new Set(fills.filter(Boolean))]), JSON.stringify([patterns, letters])];
  }};
  for (const scene of JSON.parse(text)) {{
    await draw(scene);
    for (const thing of document.querySelectorAll(".thing")) {{
      for (const piece of thing.querySelectorAll(".piece")) found.push(["pieces", thing.getAttribute("aria-label"), ...look([...piece.children])]);
      const empty = !thing.querySelector(".piece");
      if (empty) found.push([thing.dataset.thing.split("[")[0], thing.getAttribute("aria-label"), ...look(shapesOf(thing))]);
    }}
  }}
  return found;
}}"""


@pytest.mark.sized
@pytest.mark.parametrize("name", [name for name in shipped_games() if SOAK or not name.startswith("house/")])
def test_colours__what_differs_in_colour_differs_in_letter_or_pattern_too(plain: Page, name: str) -> None:
    """Without any colours the same things can be told apart as with them: so they can with any colour vision."""
    game = game_of(name)
    painter = Painter(game)
    scenes = [painter.scene(state, state.to_move) for state in positions(game, size(2, 40), 13)]
    drawn: dict[tuple[str, str], dict[str, str]] = {}
    for where, label, coloured, plain_ in plain.evaluate(SIGNS, json.dumps(scenes)):
        drawn.setdefault((where, plain_), {}).setdefault(coloured, label)
    assert any(where == "pieces" for where, _ in drawn) == bool(game.model.kinds)
    assert [list(looks.values()) for looks in drawn.values() if len(looks) > 1] == []


# The table ------------------------------------------------------------------------------------------------


def sit(browser: Browser, link: str, size_: tuple[int, int] = DESKTOP, touch: bool = False, seed: int = 1) -> Hand:
    """Open the link of a table; return who sits there."""
    hand = Hand(Watched(open_page(browser, size_, touch)), random.Random(seed), touch)
    hand.page.goto(link)
    hand.page.wait_for_selector(".bar", timeout=60_000)
    return hand


def test_table__a_move_by_clicks_is_shown_to_everybody(browser: Browser, site: Site) -> None:
    table = site.table("base", players=2, seats=[{"name": "Anna"}, {"name": "Ben"}])
    anna, ben = sit(browser, table.link(table.keys[0])), sit(browser, table.link(table.keys[1]))
    looking = sit(browser, table.link(table.onlooker))
    mover, other = (anna, ben) if anna.state()["yours"] else (ben, anna)
    assert not other.state()["yours"]
    assert "onlooker" in looking.page.inner_text(".top")
    mover.move()
    for hand in (other, looking):
        hand.page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
    other.page.wait_for_function("() => document.querySelector('.bar .says').innerText.startsWith('Your move')")
    assert looking.state()["live"] == []
    for hand in (anna, ben, looking):
        assert hand.watched.errors == []
        assert hand.watched.refused == []
        hand.page.context.close()


def test_table__a_reload_keeps_the_seat_and_nothing_is_shown_before_the_server_said_so(
    browser: Browser, site: Site
) -> None:
    table = site.table("base", players=2)
    hand = sit(browser, table.everybody)
    hand.move()
    hand.page.reload()
    hand.page.wait_for_selector(".target, .bar .move")
    assert hand.state()["yours"]
    # the server is silent: the page says that it waits, and draws nothing new
    hand.page.evaluate("() => { WebSocket.prototype.send = () => {}; }")
    before = hand.page.inner_html("main .boards")
    state = hand.state()
    while not state["buttons"]:
        hand.at(*hand.page.evaluate(POINT_OF_FIRST))
        state = hand.state()
    shown = hand.page.evaluate(
        "() => [...document.querySelectorAll('.thing')].map((thing) => thing.getAttribute('aria-label'))"
    )
    hand.click(".bar .move")
    hand.page.wait_for_function("() => document.querySelector('.bar .says').innerText.startsWith('Sending')")
    now = hand.page.evaluate(
        "() => [...document.querySelectorAll('.thing')].map((thing) => thing.getAttribute('aria-label'))"
    )
    assert now == shown
    assert before
    hand.page.context.close()


POINT_OF_FIRST = """() => {
  const box = document.querySelector(".target.strong:not([aria-pressed=true]) > .hit, .target:not([aria-pressed=true]) > .hit").getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


@pytest.mark.soak
def test_table__a_refusal_is_said_where_it_was_clicked(browser: Browser, site: Site) -> None:
    table = site.table("base", players=2)
    hand = sit(browser, table.everybody)
    dead = hand.page.evaluate("""() => {
      const live = new Set([...document.querySelectorAll(".target")].map((target) => target.dataset.id));
      const own = document.querySelectorAll(".area")[1];
      const thing = [...own.querySelectorAll(".thing")].find((one) => !live.has(one.dataset.thing));
      const box = thing.getBoundingClientRect();
      return [thing.dataset.thing, box.x + box.width / 2, box.y + box.height / 2];
    }""")
    hand.at(*dead[1:])
    note = hand.page.wait_for_selector(".note")
    assert note is not None
    assert note.get_attribute("data-about") == dead[0]
    assert note.inner_text().strip()
    hand.page.keyboard.press("Escape")
    assert hand.page.query_selector(".note") is None
    hand.page.context.close()


@pytest.mark.soak
def test_table__history_points_undo_and_hint(browser: Browser, site: Site) -> None:
    table = site.table("base", players=2)
    hand = sit(browser, table.everybody)
    page = hand.page
    hand.move()
    page.wait_for_selector(".bar button:has-text('Undo')")
    page.click("button:has-text('History')")
    assert page.locator(".history li >> nth=-1").is_visible()
    assert (
        page.evaluate("() => document.querySelector('.drawer .inside').scrollTop") > 0
    )  # the last decision is in sight
    page.click(".history li:nth-child(2) button")
    page.wait_for_selector(".banner:has-text('After decision 2')")
    assert page.query_selector(".target") is None
    page.click("text=Back to now")
    page.keyboard.press("Escape")
    page.click("button:has-text('Points')")
    page.wait_for_selector(".drawer .ledger")
    page.click(".drawer >> text=Close")
    page.click(".bar button:has-text('Hint')")
    page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Hint: ')", timeout=30_000)
    page.click(".bar button:has-text('Undo')")
    page.wait_for_function(
        "() => ![...document.querySelectorAll('.bar button')].some((one) => one.innerText === 'Undo')"
    )
    assert hand.watched.errors == []
    page.context.close()


@pytest.mark.soak
def test_table__two_devices_agree_to_take_back(browser: Browser, site: Site) -> None:
    table = site.table("classics/tictactoe", seats=[{"name": "Anna"}, {"name": "Ben"}])
    anna, ben = sit(browser, table.link(table.keys[0])), sit(browser, table.link(table.keys[1]))
    start = [hand.page.inner_text("main .boards") for hand in (anna, ben)]
    anna.move()
    ben.page.wait_for_selector(".target, .bar .move")
    ben.move()
    anna.page.wait_for_selector(".bar button:has-text('Undo')")
    anna.page.click(".bar button:has-text('Undo')")
    ben.page.wait_for_selector(".banner:has-text('Anna asks to go back to decision 0')")
    anna.page.wait_for_selector(".banner:has-text('Waiting for Ben')")
    assert anna.page.query_selector(".banner button:has-text('Agree')") is None
    ben.page.click(".banner button:has-text('Refuse')")
    anna.page.wait_for_selector(".banner", state="detached")
    anna.page.click(".bar button:has-text('Undo')")
    ben.page.click(".banner button:has-text('Agree')")
    for hand, was in zip((anna, ben), start, strict=True):
        hand.page.wait_for_selector(".banner", state="detached")
        assert hand.page.inner_text("main .boards") == was
        assert hand.watched.errors == [] and hand.watched.refused == []
    anna.page.wait_for_selector(".target, .bar .move")
    anna.move()
    for hand in (anna, ben):
        hand.page.context.close()


@pytest.mark.soak
def test_table__goes_on_after_the_server_was_killed(browser: Browser, site: Site, tmp_path: Path) -> None:
    own = Site(tmp_path)
    own.start()
    try:
        table = own.table("classics/tictactoe")
        hand = sit(browser, table.everybody)
        hand.move()
        hand.page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
        own.kill()
        hand.page.wait_for_selector(".banner:has-text('The connection is lost')")
        assert hand.state()["live"] == []
        own.start()
        hand.page.wait_for_selector(".banner", state="detached", timeout=30_000)
        hand.page.wait_for_selector(".target, .bar .move")
        assert hand.whole_game() >= 4
    finally:
        own.stop()
    hand.page.context.close()


@pytest.mark.soak
def test_table__chance_is_typed_in_from_a_real_table(browser: Browser, site: Site) -> None:
    hand = sit(browser, site.table("classics/pig", players=2, chance="typed").everybody)
    for _ in range(12):
        if "What came at the real table?" in hand.page.inner_text(".bar .says"):
            break
        hand.page.click(".bar .move >> nth=0")
        hand.page.wait_for_timeout(100)
    assert "What came at the real table?" in hand.page.inner_text(".bar .says")
    version = hand.page.evaluate("() => document.querySelector('main').dataset.version")
    hand.page.click(".bar .move >> nth=1")
    hand.page.wait_for_function("(before) => document.querySelector('main').dataset.version !== before", arg=version)
    assert hand.watched.sent[-1]["seat"] == 0
    assert hand.watched.refused == []
    hand.page.context.close()


@pytest.mark.soak
def test_table__with_a_wrong_key_says_so_and_does_not_try_again(browser: Browser, site: Site) -> None:
    table = site.table("classics/nim")
    page = open_page(browser, DESKTOP)
    page.goto(table.link("A" * 22))
    page.wait_for_selector(".banner[role=alert]")
    page.wait_for_timeout(1200)
    assert page.query_selector(".boards") is None
    assert "lost" not in page.inner_text(".banner")
    page.context.close()


@pytest.mark.soak
def test_table__who_sits_at_one_device_passes_it_on_where_something_is_hidden(browser: Browser, site: Site) -> None:
    table = site.table("classics/briscola", players=2)
    hand = sit(browser, table.everybody)
    if not hand.state()["over"]:
        hand.move()
        hand.page.wait_for_selector(".bar .over")
    hand.click(".bar .over")
    assert hand.page.query_selector(".veil") is not None
    hand.click(".veil button")
    hand.page.wait_for_selector(".target, .bar .move")
    assert hand.watched.refused == []
    hand.page.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("name", FOUR)
@pytest.mark.parametrize(("size_", "touch"), [(DESKTOP, False), (PHONE, True)], ids=["clicks", "touch"])
def test_game__is_played_by_clicks_alone(
    browser: Browser, site: Site, name: str, size_: tuple[int, int], touch: bool
) -> None:
    table = site.table(name, players=2)
    hand = sit(browser, table.everybody, size_, touch, seed=5)
    made = hand.whole_game()
    assert made > 10
    assert hand.watched.errors == []
    assert hand.watched.refused == []
    hand.page.context.close()


@pytest.mark.soak
def test_game__with_three_people_and_an_onlooker(browser: Browser, site: Site) -> None:
    table = site.table("base", players=3)
    hands = [sit(browser, table.link(key), seed=n) for n, key in enumerate(table.keys)]
    looking = sit(browser, table.link(table.onlooker))
    for _ in range(400):
        if looking.state()["ended"]:
            break
        for hand in hands:
            if hand.state()["yours"]:
                hand.move()
                hand.page.wait_for_timeout(30)
    assert looking.state()["ended"]
    for hand in (*hands, looking):
        assert hand.watched.errors == []
        hand.page.context.close()


@pytest.mark.soak
def test_game__two_tables_at_once(browser: Browser, site: Site) -> None:
    first, second = (sit(browser, site.table("base", players=2).everybody, seed=n) for n in (1, 2))
    for _ in range(15):
        first.move()
        first.page.wait_for_selector(".target, .bar .move")
        second.move()
        second.page.wait_for_selector(".target, .bar .move")
    titles = [hand.page.evaluate("() => document.querySelector('.boards').innerText") for hand in (first, second)]
    assert titles[0] and titles[1]
    for hand in (first, second):
        assert hand.watched.errors == [] and hand.watched.refused == []
        hand.page.context.close()


def keys_alone(page: Page, chance: random.Random, most: int) -> int:
    """Make moves with the keyboard alone until the game is over or `most` were made; return how many were."""
    made = 0
    for _ in range(most * 60):
        says = page.inner_text(".bar .says")
        if says.startswith("The game is over") or made >= most:
            return made
        focus = page.evaluate(
            "() => document.activeElement?.closest('.bar .move') ? 'button' : document.activeElement?.closest('.target') ? 'thing' : ''"
        )
        if focus == "button":
            before = page.evaluate("() => document.querySelector('main').dataset.version")
            page.keyboard.press("Enter")
            page.wait_for_function("(before) => document.querySelector('main').dataset.version !== before", arg=before)
            page.wait_for_selector(".target, .bar .move, .banner")
            made += 1
            continue
        for _ in range(chance.randrange(1, 5)):
            page.keyboard.press(chance.choice(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")))
        pressed = page.evaluate("() => document.activeElement?.getAttribute('aria-pressed')")
        if pressed == "true" and chance.random() < 0.9:
            continue
        page.keyboard.press("Enter")
        if chance.random() < 0.03:
            page.keyboard.press("Escape")
    raise AssertionError("the keyboard alone does not get further")


def test_keys__a_few_moves_with_the_keyboard_alone(browser: Browser, site: Site) -> None:
    hand = sit(browser, site.table("base", players=2).everybody)
    assert keys_alone(hand.page, random.Random(3), 3) == 3
    assert hand.watched.refused == []
    hand.page.context.close()


@pytest.mark.soak
def test_keys__a_whole_game_with_the_keyboard_alone(browser: Browser, site: Site) -> None:
    hand = sit(browser, site.table("base", players=2).everybody)
    assert keys_alone(hand.page, random.Random(4), 400) > 20
    assert hand.watched.refused == []
    hand.page.context.close()


# The lobby ------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_lobby__makes_a_table_with_links_and_codes(browser: Browser, site: Site) -> None:
    watched = Watched(open_page(browser, PHONE, touch=True))
    page = watched.page
    page.goto(site.address)
    page.wait_for_selector(".games button", timeout=60_000)
    page.click(".games button:has-text('Tic-tac-toe')")
    page.fill("#name-1", "Anna")
    page.select_option("select[aria-label='who plays player 2']", "greedy")
    page.click("text=Open the table")
    page.wait_for_selector("#mine")
    page.click("button[aria-label='code of Anna']")
    page.wait_for_selector(".qr svg")
    page.click("#mine")
    page.wait_for_selector(".boards")
    assert "Anna (you)" in page.inner_text("main")
    hand = Hand(watched, random.Random(2), touch=True)
    assert hand.whole_game() >= 3
    assert watched.errors == []
    page.context.close()


# The workshop ---------------------------------------------------------------------------------------------


def work(browser: Browser, site: Site, house: str = "classics/nim", script: str = "") -> Hand:
    """Open the workshop with a house rule that changes nothing yet; return who works there, once the game can be played."""
    hand = Hand(Watched(open_page(browser, DESKTOP)), random.Random(1))
    if script:
        hand.page.add_init_script(script)
    hand.page.goto(f"{site.address}/workshop?house={house}")
    hand.page.wait_for_selector(".state[data-good=true]", timeout=60_000)
    hand.page.wait_for_selector(".target, .bar .move", timeout=60_000)
    return hand


def write(page: Page, text: str) -> None:
    """Write at the end of the rules."""
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.insert_text(text)


def leave(hand: Hand) -> None:
    """Close a page on which nothing may have gone wrong."""
    assert hand.watched.errors == []
    hand.page.context.close()


@pytest.mark.sized
def test_workshop__a_mistake_is_shown_mended_and_the_game_goes_on(browser: Browser, site: Site) -> None:
    hand = work(browser, site, "base" if SOAK else "classics/nim")
    page = hand.page
    hand.move()
    page.wait_for_function("() => document.querySelector('.table main').dataset.version > '1'")
    write(page, "")
    page.keyboard.type("\nplacse: {}")
    page.wait_for_selector(".state.bad", timeout=30_000)
    assert "error in line 5" in page.inner_text(".problems")
    assert page.query_selector("svg.block") is not None
    for _ in range(len("\nplacse: {}")):
        page.keyboard.press("Backspace")
    page.wait_for_selector(".state[data-good=true]", timeout=30_000)
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    page.keyboard.type(" of mine")
    page.wait_for_selector("text=The game goes on under the new rules", timeout=60_000)
    hand.move()
    page.click("button[role=tab]:has-text('Examples')")
    page.wait_for_selector("text=all hold", timeout=120_000)
    page.click("button[role=tab]:has-text('Game')")
    page.wait_for_selector("svg.block")
    leave(hand)


@pytest.mark.soak
def test_workshop__undo_goes_through_text_and_moves_alike(browser: Browser, site: Site) -> None:
    hand = work(browser, site)
    page = hand.page
    start = page.inner_text(".cm-content"), page.inner_text(".bar .says").split("\n")[0]
    hand.move()
    page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
    write(page, "# a remark")
    page.wait_for_selector("text=The game goes on under the new rules", timeout=60_000)
    page.click(".left button:has-text('Undo')")
    page.wait_for_function(
        "(text) => document.querySelector('.editor > div').shadowRoot.querySelector('.cm-content').innerText === text",
        arg=start[0],
    )
    page.wait_for_selector(".state[data-good=true]", timeout=30_000)
    page.wait_for_timeout(800)
    page.click(".left button:has-text('Undo')")
    page.wait_for_function("(says) => document.querySelector('.bar .says').innerText.startsWith(says)", arg=start[1])
    page.wait_for_selector(".left button:has-text('Undo'):disabled")
    page.click(".left button:has-text('Redo')")
    page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
    leave(hand)


@pytest.mark.soak
def test_workshop__a_text_is_shared_by_its_link(browser: Browser, site: Site) -> None:
    first = work(browser, site).page
    first.click("button:has-text('Share')")
    first.wait_for_function("() => location.hash.startsWith('#text=')")
    link = first.evaluate("() => location.href")
    first.context.close()
    second = open_page(browser, DESKTOP)
    second.goto(link)
    second.wait_for_selector(".cm-content")
    assert "extends: classics/nim" in second.inner_text(".cm-content")
    second.context.close()


def test_workshop__completes_explains_formats_and_saves(browser: Browser, site: Site) -> None:
    # as in a browser that can only download
    hand = work(browser, site, script="delete globalThis.showSaveFilePicker")
    page = hand.page
    page.click(".cm-content")
    page.keyboard.press("Control+End")
    page.keyboard.type("chan")
    page.wait_for_selector(".cm-tooltip-autocomplete li:has-text('change')", timeout=30_000)
    page.wait_for_timeout(
        150
    )  # an answer that has just come is not taken by Enter, lest a word be replaced by surprise
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => {EDITED}.includes('change:')")
    page.keyboard.insert_text(" {}")
    page.hover(".cm-line:has-text('extends')", position={"x": 20, "y": 8})
    page.wait_for_selector(".cm-tooltip .hover", timeout=30_000)
    assert "game" in page.inner_text(".cm-tooltip .hover")
    page.mouse.move(640, 780)
    before = page.evaluate(f"() => {EDITED}")
    page.keyboard.insert_text("\n\n\n# the end")
    page.click("button:has-text('Format')")
    page.wait_for_function(f"(before) => !{EDITED}.startsWith(before)", arg=before + "\n\n\n", timeout=30_000)
    with page.expect_download() as saving:
        page.click("button:has-text('Save')")
    assert saving.value.suggested_filename == "house.yaml"
    assert Path(saving.value.path()).read_text(encoding="utf-8").rstrip() == page.evaluate(f"() => {EDITED}").rstrip()
    leave(hand)


@pytest.mark.soak
def test_workshop__says_where_and_why_the_game_can_go_no_further(browser: Browser, site: Site) -> None:
    hand = work(browser, site)
    page = hand.page
    page.click("button:has-text('All moves')")
    page.click(".drawer button:has-text('take 3 from')")
    page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
    write(page, "change:\n  define: {most: 1}\n")
    page.wait_for_selector(".banner:has-text('Under the new rules the game cannot come this far')", timeout=60_000)
    said = page.inner_text(".banner:has-text('Under the new rules')")
    assert "0 of 1 decisions can be made" in said and "Decision 1, take " in said
    assert page.query_selector("svg.block") is not None
    page.click("button:has-text('Go on from decision 0')")
    page.wait_for_selector("text=Your move: 3 possible")
    assert page.query_selector(".banner") is None
    leave(hand)


@pytest.mark.soak
def test_workshop__saves_to_a_file_where_the_browser_can(browser: Browser, site: Site) -> None:
    script = """globalThis.written = []; globalThis.showSaveFilePicker = async ({ suggestedName }) => ({
      name: suggestedName, createWritable: async () => ({ write: async (text) => globalThis.written.push(text), close: async () => {} }) });"""
    page = work(browser, site, script=script).page
    page.click("button:has-text('Save')")
    page.wait_for_selector("text=saved as house.yaml")
    assert page.evaluate("() => globalThis.written") == [
        "rulespec: 1\nextends: classics/nim\ngame: House rule on classics/nim\n"
    ]
    page.context.close()


@pytest.mark.soak
def test_workshop__measures_balance_and_stops(browser: Browser, site: Site) -> None:
    hand = work(browser, site)
    page = hand.page
    write(page, "change:\n  define: {most: 1}\n")
    page.wait_for_selector("text=Your move: 3 possible", timeout=60_000)
    page.click("button[role=tab]:has-text('Balance')")
    page.wait_for_selector("text=Whoever begins wins less often", timeout=60_000)
    assert page.inner_text(".measures thead").split() == ["nim", "house", "difference", "verdict"]
    assert "won by who begins" in page.inner_text(".measures")
    assert serious(page) == []
    page.click("button[role=tab]:has-text('What differs')")
    page.wait_for_selector(".report:has-text('most')", timeout=60_000)
    assert page.inner_text(".report").count("\n") > 3
    page.goto(f"{site.address}/workshop?house=duel")
    page.wait_for_selector(".state[data-good=true]", timeout=60_000)
    page.click("button[role=tab]:has-text('Balance')")
    page.click(".shown button:has-text('Stop')")
    page.wait_for_selector("text=bots play both rules", state="detached")
    assert page.query_selector(".measures") is None
    leave(hand)


@pytest.mark.soak
def test_workshop__examples_and_rulebook_tell_what_the_change_did(browser: Browser, site: Site) -> None:
    hand = work(browser, site, "base")
    page = hand.page
    write(page, "change:\n  tables: {cost: [1, 2, 3, 4, 5, 6, 7, 8]}\n")
    page.wait_for_selector("text=The game goes on under the new rules", timeout=60_000)
    page.click("button[role=tab]:has-text('Examples')")
    page.wait_for_selector(".shown:has-text('come out differently by what you changed')", timeout=120_000)
    first = page.inner_text(".shown .list li >> nth=0")
    assert first.startswith("comes out differently: ") and "expected" in first and "`" not in first
    assert "comes out differently" not in page.inner_text(".shown .list li >> nth=-1")
    page.click("button[role=tab]:has-text('Rulebook')")
    page.wait_for_selector(".shown del:has-text('1, 1, 2, 2, 2, 3, 3')", timeout=60_000)
    assert page.locator(".shown article >> nth=0").inner_text().count("Components") == 1
    leave(hand)


EDITED = "[...document.querySelector('.editor > div').shadowRoot.querySelectorAll('.cm-line')].map((line) => line.innerText.replace('\\n', '')).join('\\n')"

# For everybody --------------------------------------------------------------------------------------------


def serious(page: Page) -> list[str]:
    """Return what axe-core finds serious or critical."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core is not installed")
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{entry['id']}: {entry['help']}: {[node['target'] for node in entry['nodes']][:3]}"
        for entry in found
        if entry["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_axe__finds_nothing_serious(browser: Browser, site: Site, scheme: str) -> None:
    table = site.table("base", players=2)
    page = open_page(browser, DESKTOP, scheme=scheme)
    page.context.grant_permissions([])
    found: dict[str, list[str]] = {}
    page.goto(site.address)
    page.wait_for_selector(".games button", timeout=60_000)
    found["lobby"] = serious(page)
    page.goto(table.everybody)
    page.wait_for_selector(".target, .bar .move")
    found["table"] = serious(page)
    page.click("button:has-text('More')")
    found["more"] = serious(page)
    page.goto(f"{site.address}/workshop?house=classics/nim")
    page.wait_for_selector(".state[data-good=true]", timeout=60_000)
    page.wait_for_selector("svg.block", timeout=60_000)
    found["workshop"] = serious(page)
    page.context.close()
    assert {name: list_ for name, list_ in found.items() if list_} == {}


@pytest.mark.soak
def test_readers__hear_the_position_and_every_move(browser: Browser, site: Site) -> None:
    hand = sit(browser, site.table("classics/tictactoe").everybody)
    page = hand.page
    page.evaluate("""() => {
      globalThis.heard = [];
      const live = document.querySelector('[aria-live="polite"]');
      new MutationObserver(() => globalThis.heard.push(live.innerText)).observe(live, { childList: true, characterData: true, subtree: true });
    }""")
    labels = page.eval_on_selector_all(".thing", "(all) => all.map((one) => one.getAttribute('aria-label'))")
    assert len(labels) == 10 and all(labels)
    hand.move()
    page.wait_for_function("() => globalThis.heard.some((text) => text.includes('Last: Player 1: put x in row'))")
    page.click("button:has-text('More')")
    page.click("button:has-text('Position in words')")
    page.wait_for_selector(".drawer:has-text('The position in words')")
    assert ": x" in page.inner_text(".drawer")
    page.context.close()


@pytest.mark.soak
def test_print__shows_the_boards_alone(browser: Browser, site: Site) -> None:
    hand = sit(browser, site.table("base", players=2).everybody)
    hand.page.emulate_media(media="print")
    seen = hand.page.evaluate(
        "() => [...document.querySelectorAll('.bar, .top nav, .edge')].filter((one) => getComputedStyle(one).display !== 'none').length"
    )
    assert seen == 0
    assert hand.page.locator("svg.block").first.is_visible()
    hand.page.context.close()


@pytest.mark.soak
def test_events__pieces_glide_only_where_motion_is_wanted(browser: Browser, site: Site) -> None:
    for reduced in (False, True):
        page = open_page(browser, DESKTOP, reduced=reduced)
        watched = Watched(page)
        page.add_init_script(
            "globalThis.glides = 0; const was = Element.prototype.animate; Element.prototype.animate = function (...given) { globalThis.glides += 1; return was.apply(this, given); };"
        )
        page.goto(site.table("base", players=2).everybody)
        page.wait_for_selector(".target, .bar .move")
        Hand(watched, random.Random(1)).move()
        page.wait_for_function("() => document.querySelector('.bar .says').innerText.includes('Last: ')")
        page.wait_for_timeout(300)
        assert (page.evaluate("() => globalThis.glides") > 0) is not reduced
        page.context.close()


def test_messages__of_another_version_make_the_page_ask_for_the_whole(plain: Page) -> None:
    script = """async ([first, later]) => {
      const { heard } = await import("/static/store.js");
      const known = heard(null, first);
      return [heard(known, later), heard(null, later), heard(known, { ...later, from: 1 }).made];
    }"""
    scene = {"scene": 1, "areas": [], "kinds": {}, "moves": []}
    whole = {"tell": "whole", "version": 1, "scene": scene, "log": {"lines": []}, "made": 1}
    later = {"tell": "change", "from": 2, "version": 3, "made": 2, "change": None, "log": {"keep": 0, "lines": []}}
    assert plain.evaluate(script, json.loads(json.dumps([whole, later]))) == [None, None, 2]
