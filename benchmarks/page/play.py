"""Measures how many pictures a second the page draws of networks of 100,000 nodes.

A headless Chromium without a graphics processor opens the pages; every animation frame shows
another moment of the run, for five seconds. The browser draws at most 60 frames a second.

    python3 benchmarks/page/play.py --program build/bin/equipoise
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../tests/page"))
from browser import Browser  # noqa: E402

RUNS = [
    ("torus:320x320, one run", ["run", "diffusion", "--network", "torus:320x320",
                                "--loads", "spike:tokens=10000000"], 1),
    ("torus:320x320, two runs side by side",
     ["compare", "diffusion", "diffusion-2", "--network", "torus:320x320",
      "--loads", "spike:tokens=10000000"], 2),
    ("random-regular:n=100000,d=4, one run",
     ["run", "diffusion", "--network", "random-regular:n=100000,d=4",
      "--loads", "spike:tokens=10000000"], 1),
    ("random-regular:n=20000,d=4, every node and link",
     ["run", "diffusion", "--network", "random-regular:n=20000,d=4",
      "--loads", "spike:tokens=10000000"], 1),
    ("torus:12x12 with messages, two runs side by side",
     ["compare", "async-deal-agreement", "async-one-token-diffusion", "--network", "torus:12x12",
      "--loads", "spike:tokens=1440", "--delays", "random:max=5"], 2),
    ("random-tree:n=100000, one run",
     ["run", "diffusion", "--network", "random-tree:n=100000", "--loads", "uniform:tokens=10000000",
      "--max-steps", "400"], 1),
]

# Counts animation frames, each of which drew another moment, and the time that drawing took.
PLAY = """new Promise((done) => {
  showRuns([...Array(%d).keys()], 0);
  goTo(0);
  let [pictures, busy, begin] = [0, 0, 0];
  const tick = (now) => {
    begin ||= now;
    if (now - begin >= 5000) return done([(1000 * pictures) / (now - begin), busy / pictures]);
    const before = performance.now();
    goTo((state.moment + 1) %% state.timeline.length);
    busy += performance.now() - before;
    ++pictures;
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the program equipoise")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, Browser(options.chromium) as browser:
        for name, arguments, shown in RUNS:
            page = os.path.join(folder, "page.html")
            subprocess.run([options.program, *arguments, "--quiet", "--html", page], check=True)
            browser.open(page)
            pictures, busy = browser.value(PLAY % shown)
            size = os.path.getsize(page) / 1e6
            moments = browser.value("state.timeline.length")
            print(f"{name}: {pictures:.0f} pictures a second, {busy:.1f} ms of script each; "
                  f"{moments} moments, {size:.1f} MB", flush=True)


if __name__ == "__main__":
    main()
