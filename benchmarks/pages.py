"""`python -m benchmarks.pages`: how soon a browser shows a table, and what a click does.

    --game NAME --times N

Starts a server and, for each time, a browser that knows nothing yet; both are measured in the page. Prints the medians of the time from
asking for the page to its first picture, and from a click to the frame in which it is shown. Needs playwright and a Chromium.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.tables import create, start

NAMES = ("chromium", "chromium-browser", "google-chrome")

# the time in which the first block is there and a frame was drawn, in milliseconds from the beginning of the navigation
FIRST = """() => new Promise((done) => {
  const look = () => document.querySelector("svg.block .thing") ? requestAnimationFrame(() => done(performance.now())) : requestAnimationFrame(look);
  look();
})"""
# click the first thing that can be picked; the time until it is shown as picked
CLICK = """() => new Promise((done) => {
  const box = document.querySelector(".target.strong > .hit").getBoundingClientRect();
  const at = { bubbles: true, detail: 1, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 };
  const begin = performance.now();
  document.elementFromPoint(at.clientX, at.clientY).dispatchEvent(new MouseEvent("click", at));
  const look = () => document.querySelector(".target[aria-pressed=true], .bar .move") ? done(performance.now() - begin) : requestAnimationFrame(look);
  requestAnimationFrame(look);
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="base")
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        sys.exit("no Chromium: install it (Debian: `apt-get install chromium`)")
    from playwright.sync_api import sync_playwright

    first, clicks = [], []
    with tempfile.TemporaryDirectory() as folder:
        process, address = start(Path(folder))
        try:
            for _ in range(options.times):
                table = create(address, options.game, 2)
                keys = "+".join(seat["key"] for seat in table["seats"])
                with sync_playwright() as driver:
                    browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
                    page = browser.new_page(viewport={"width": 1280, "height": 800})
                    page.goto(f"{address}/table/{table['table']}#{keys}", wait_until="commit")
                    first.append(page.evaluate(FIRST))
                    page.wait_for_selector(".target.strong")
                    clicks.append(page.evaluate(CLICK))
                    browser.close()
        finally:
            process.kill()
            process.wait()
    print(
        f"{options.game}, {options.times} cold browsers: first picture after {statistics.median(first):.0f} ms, "
        f"a click shown after {statistics.median(clicks):.0f} ms (medians)"
    )


if __name__ == "__main__":
    main()
