"""Opens pages in a headless browser and uses them like a person."""

import argparse
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser  # noqa: E402

PIXELS = """(() => {
  const canvas = document.querySelector(".picture");
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [canvas.width, canvas.height];
  const context = copy.getContext("2d", { willReadFrequently: true });
  context.drawImage(canvas, 0, 0);
  const data = context.getImageData(0, 0, canvas.width, canvas.height).data;
  let sum = 0;
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) {
    const colour = data[i] * 65536 + data[i + 1] * 256 + data[i + 2];
    if (data[i + 3] === 255) colours.add(colour);
    sum = (sum * 31 + colour) % 1000000007;
  }
  return { sum, colours: colours.size };
})()"""


class PageTest(unittest.TestCase):
    options = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([cls.options.writer, cls.folder.name], check=True)
        cls.browser = Browser(cls.options.chromium)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, name, **how):
        self.browser.open(os.path.join(self.folder.name, name), **how)
        self.assertEqual(self.browser.complaints(), [])

    def value(self, expression):
        return self.browser.value(expression)

    def test_every_page_opens_without_a_complaint_and_shows_colours(self):
        for name in sorted(os.listdir(self.folder.name)):
            for width, dark in [(1280, False), (1280, True), (380, False)]:
                with self.subTest(page=name, width=width, dark=dark):
                    self.open(name, width=width, dark=dark)
                    self.assertGreater(self.value(PIXELS)["colours"], 1)
                    self.assertLessEqual(self.value("document.documentElement.scrollWidth"), width)

    def test_the_slider_moves_time_and_changes_colours(self):
        for name in ["abilene.html", "torus.html", "ranks.html"]:
            with self.subTest(page=name):
                self.open(name)
                self.value("choose(1)")
                first = self.value(PIXELS)["sum"]
                self.value("""(() => { const slider = document.getElementById("time");
                    slider.value = slider.max; slider.dispatchEvent(new Event("input")); })()""")
                self.assertNotEqual(self.value(PIXELS)["sum"], first)
                self.assertEqual(self.value("state.step"), self.value("Number(page.runs[1].steps)"))
                self.assertIn("step", self.value('document.getElementById("moment").textContent'))
                self.assertEqual(self.browser.complaints(), [])

    def test_loads_that_are_replayed_end_as_recorded(self):
        self.open("abilene.html")
        for run in [0, 1]:
            self.value(f"choose({run}); goTo(state.playback.length - 1)")
            last = self.value("state.now.extent")
            self.assertEqual(last[1] - last[0], self.value(f"page.runs[{run}].discrepancy"))
            self.value("goTo(7); goTo(3); goTo(0)")
            self.assertEqual(self.value("state.now.extent"), [0, 1000])
            self.assertEqual(self.value("[...state.now.loads].reduce((a, b) => a + b)"), 1000)

    def test_arrow_keys_move_through_time(self):
        self.open("abilene.html")
        for key, moment in [("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("Home", 0),
                            ("End", self.value("state.playback.length - 1"))]:
            self.browser.key(key)
            self.assertEqual(self.value("state.moment"), moment)

    def test_playing_goes_on_by_itself_and_can_be_paused(self):
        self.open("torus.html")
        self.value('document.getElementById("play").click()')
        self.value("""new Promise((done) => { const look = () =>
            state.moment > 2 ? done() : setTimeout(look, 20); look(); })""")
        self.value('document.getElementById("play").click()')
        moment = self.value("state.moment")
        self.value("new Promise((done) => setTimeout(done, 400))")
        self.assertEqual(self.value("state.moment"), moment)

    def test_the_table_sorts_both_ways(self):
        self.open("abilene.html")
        steps = ('[...document.querySelectorAll("#runs tbody tr")]'
                 '.map((r) => page.runs[r.dataset.run].steps)')
        head = ('[...document.querySelectorAll("#runs th button")]'
                '.find((b) => b.textContent === "Steps")')
        self.value(head + ".click()")
        rising = self.value(steps)
        self.assertEqual(rising, sorted(rising))
        self.assertEqual(self.value(head + '.parentElement.getAttribute("aria-sort")'), "ascending")
        self.value(head + ".click()")
        self.assertEqual(self.value(steps), rising[::-1])
        self.assertNotEqual(rising, rising[::-1])

    def test_runs_of_different_models_share_no_axis_of_steps(self):
        self.open("models.html")
        drawn = "discrepancyChart.chart.data.datasets.map((one) => one.label)"
        title = "discrepancyChart.chart.options.scales.x.title.text"
        self.assertEqual(self.value(drawn), ["one-token"])
        self.assertEqual(self.value(title), "single-port steps")
        self.value("choose(1)")
        self.assertEqual(self.value(drawn), ["half"])
        self.assertEqual(self.value(title), "asynchronous steps")
        self.assertIn("asynchronous runs",
                      self.value('document.getElementById("curves-of").textContent'))
        self.open("abilene.html")
        self.assertEqual(self.value(drawn), ["one-token", "half"])
        self.assertEqual(self.value('document.getElementById("curves-of").textContent'), "")

    def test_runs_with_speeds_are_measured_by_their_shares(self):
        self.open("speeds.html")
        heads = self.value('[...document.querySelectorAll("#runs th")].map((th) => th.textContent)')
        self.assertIn("Off share", heads)
        self.assertNotIn("Discrepancy", heads)
        self.assertEqual(len(heads), len(set(heads)))
        self.assertIn("off its share by speed",
                      self.value('document.getElementById("summary").textContent'))
        self.assertIn("floor or ceiling",
                      self.value('document.getElementById("details").textContent'))
        # The promise is below 1, and this run is not: it is marked.
        self.assertEqual(self.value('document.querySelectorAll("#runs td.over").length'), 1)

    def test_a_click_on_a_row_draws_that_run(self):
        self.open("abilene.html")
        self.value('document.querySelector("#runs tbody tr:nth-child(2)").click()')
        self.assertEqual(self.value("state.run"), 1)
        self.assertIn("half", self.value('document.getElementById("summary").textContent'))
        self.assertEqual(self.value('document.querySelectorAll("#runs tr.chosen").length'), 1)

    def test_a_node_shows_its_name_and_load(self):
        self.open("abilene.html")
        place = self.value("""(() => { const { picture } = stage.panels[0];
            const box = picture.canvas.getBoundingClientRect();
            return [box.left + picture.x[6], box.top + picture.y[6]]; })()""")
        self.browser.move_to(*place)
        text = self.value('document.querySelector(".tip").textContent')
        self.assertIn("Denver: 0 tokens", text)
        self.assertIn("3 links", text)

    def test_dark_mode_changes_the_ground_and_can_be_switched(self):
        self.open("abilene.html", dark=True)
        ground = "getComputedStyle(document.body).backgroundColor"
        dark = self.value(ground)
        self.assertEqual(self.value("document.documentElement.dataset.theme"), "dark")
        pixels = self.value(PIXELS)["sum"]
        self.value('document.getElementById("theme").click()')
        self.assertNotEqual(self.value(ground), dark)
        self.assertNotEqual(self.value(PIXELS)["sum"], pixels)
        self.assertEqual(self.browser.complaints(), [])

    def test_zooming_and_colour_scales_redraw_the_picture(self):
        self.open("torus.html")
        self.value("choose(1); goTo(20)")
        seen = {self.value(PIXELS)["sum"]}
        choose = ('(() => { const s = document.getElementById("scale"); s.value = "%s"; '
                  's.dispatchEvent(new Event("change")); })()')
        for act in ['document.querySelector("#zoom button").click()', choose % "moment",
                    choose % "linear"]:
            self.value(act)
            seen.add(self.value(PIXELS)["sum"])
        self.assertEqual(len(seen), 4)

    def test_pages_of_the_command_line_show_what_was_run(self):
        program = [self.options.program]
        names = ["run.json", "report.html", "compare.html"]
        record, page, compared = (os.path.join(self.folder.name, name) for name in names)
        instance = ["--network", "path:n=9", "--loads", "spike:tokens=90", "--quiet"]
        subprocess.run(program + ["compare", "threshold-1", "threshold-2", *instance,
                                  "--html", compared], check=True)
        subprocess.run(program + ["run", "threshold-2", *instance, "--record", record], check=True)
        subprocess.run(program + ["report", record, "--html", page], check=True)
        for name, runs in [("compare.html", 2), ("report.html", 1)]:
            self.open(name)
            self.assertEqual(self.value('document.querySelectorAll("#runs tbody tr").length'), runs)
            self.assertIn("path:n=9", self.value("document.title"))
            self.value("goTo(state.playback.length - 1)")
            last = self.value("state.now.extent")
            self.assertEqual(last[1] - last[0], self.value("page.runs[0].discrepancy"))

    def test_messages_are_seen_on_their_way(self):
        page = os.path.join(self.folder.name, "messages.html")
        subprocess.run([self.options.program, "run", "perfect-tree", "--network", "tree:k=2,h=2",
                        "--loads", "spike:tokens=20,node=3", "--delays", "random:max=5", "--quiet",
                        "--html", page], check=True)
        self.open("messages.html")
        self.assertEqual(self.value("state.playback.messages.length"),
                         self.value("page.runs[0].messages"))
        counts = self.value("""[...Array(state.playback.length).keys()]
            .map((moment) => state.playback.onTheWay(moment, 0).length)""")
        self.assertEqual(len(counts), self.value("page.runs[0].steps") + 1)
        self.assertEqual(counts[-1], 0)
        self.assertGreater(max(counts), 1)
        self.assertFalse(self.value('document.getElementById("messages").hidden'))

        moment = self.value("""goTo(state.playback.messages
            .find((message) => message.tokens > 0).sent), state.moment""")
        self.assertGreater(self.value("stage.panels[0].picture.messages.length"), 0)
        still = self.value(PIXELS)["sum"]
        self.value("stage.panels[0].glide(0.5, state.scale, state.style)")
        self.assertNotEqual(self.value(PIXELS)["sum"], still)
        place = self.value("""(() => { const { picture } = stage.panels[0];
            const box = picture.canvas.getBoundingClientRect();
            const message = picture.messages.find(({ tokens }) => tokens > 0);
            return [box.left + message.x, box.top + message.y]; })()""")
        self.browser.move_to(*place)
        tip = self.value('document.querySelector(".tip").textContent')
        self.assertIn("token with 1 token", tip)
        for button, expected in [("step", moment + 1), ("back", moment)]:
            self.value(f'document.getElementById("{button}").click()')
            self.assertEqual(self.value("state.moment"), expected)
        self.assertEqual(self.browser.complaints(), [])

    def test_hostile_names_stay_text(self):
        self.open("hostile.html")
        self.assertIsNone(self.value("window.attacked"))
        self.assertEqual(self.value('document.querySelectorAll("img, b").length'), 0)
        self.assertIn("<script>", self.value("page.networks[0].names[0]"))
        self.assertIn("{{data}}", self.value("document.title"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chromium", required=True)
    parser.add_argument("--writer", required=True, help="the program write_pages")
    parser.add_argument("--program", required=True, help="the program equipoise")
    PageTest.options, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
