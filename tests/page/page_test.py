"""Opens pages in a headless browser and uses them like a person."""

import base64
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import PageCase  # noqa: E402

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


class PageTest(PageCase):
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
        self.value("""new Promise((done) => { const look = () => {
            if (state.moment <= 2) return setTimeout(look, 20);
            document.getElementById("play").click();  // here: the run may be over a turn later
            done();
        }; look(); })""")
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
        drawn = ("discrepancyChart.chart.data.datasets.map((one) => [one.label,"
                 " discrepancyChart.chart.options.scales[one.xAxisID].title.text])")
        self.assertEqual(self.value(drawn), [["one-token", "single-port steps"],
                                             ["half", "asynchronous steps: half"]])
        self.value("choose(1)")
        self.assertEqual(self.value(drawn), [["one-token", "single-port steps: one-token"],
                                             ["half", "asynchronous steps"]])
        note = 'document.getElementById("axes-note").textContent'
        self.assertIn("each has its own axis (single-port, asynchronous)", self.value(note))
        self.open("abilene.html")
        self.assertEqual(self.value(drawn), [["one-token", "single-port steps"],
                                             ["half", "single-port steps"]])
        self.assertEqual(self.value(note), "")

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

    def test_the_optimum_and_promises_are_lines_with_a_legend_that_is_never_cut(self):
        page = self.made("optimum", "compare", "discrepancy-1", "threshold-1", "--optimum",
                         "--network", "path:n=12", "--loads", "spike:tokens=1200")
        for width in [1280, 400, 320]:
            self.open(page, width=width)
            texts = self.value('[...document.querySelectorAll(".lines")[0].children]'
                               '.map((line) => line.textContent)')
            # What is said of one of several runs has its name and its colour.
            self.assertEqual(texts, ["discrepancy-1: promised: discrepancy at most 1",
                                     "discrepancy-1: promised: at most 57,576 steps "
                                     "(beyond the chart)",
                                     "best possible: 1,100 steps",
                                     "discrepancy-1: " + self.value("levelText(chosenRun())")])
            self.assertRegex(texts[-1], "level after step [0-9,]+: discrepancy 0 from then on$")
            colours = self.value("discrepancyChart.chart.options.marks.lines"
                                 ".map(({ colour }) => colour ?? null)")
            own = self.value("discrepancyChart.chart.data.datasets[0].borderColor")
            self.assertEqual(colours, [own, own, None, own])
            cut = self.value("""[...document.querySelectorAll(".lines > span")].filter((line) =>
                line.getBoundingClientRect().right > line.closest(".card").clientWidth
                    + line.closest(".card").getBoundingClientRect().left).length""")
            self.assertEqual(cut, 0)
            self.assertEqual(self.value("""discrepancyChart.chart.options.marks.lines
                .map(({ kind, outside }) => kind + outside)"""),
                             ["promisefalse", "promisetrue", "optimumfalse", "levelfalse"])
        self.assertIn("1,100 steps", self.text("#details"))
        self.assertIn("best possible 1,100", self.text("#runs tbody tr"))

    def test_loads_below_zero_are_red_on_every_scale(self):
        page = self.made("negative", "compare", "diffusion-2", "diffusion", "--network",
                         "torus:8x8", "--loads", "spike:tokens=6400")
        for dark in [False, True]:
            self.open(page, dark=dark)
            self.value("goTo([...Array(state.timeline.length).keys()]"
                       ".find((moment) => state.playback.at(moment).extent[0] < 0))")
            for mode in ["linear", "logarithmic", "moment"]:
                self.value(f'byId("scale").value = "{mode}"; state.scale = null; drawMoment()')
                least = self.value("state.now.extent[0]")
                self.assertLess(least, 0)
                for load in [least, least / 2, -1]:
                    red, green, blue = self.value(f"state.scale.rgb[state.scale.shade({load})]")
                    self.assertGreater(red, 1.3 * max(green, blue), (mode, load))
                red, green, blue = self.value("state.scale.rgb[state.scale.shade(0)]")
                self.assertLess(red, 1.3 * max(green, blue))
                # Zero stands where the two ramps meet, and both can be seen.
                self.assertAlmostEqual(self.value("state.scale.place(0)"),
                                       self.value("state.scale.zero"))
                self.assertTrue(0.1 < self.value("state.scale.zero") < 0.9)
                self.assertIn("below zero", self.text("#notes"))
                self.assertIn("−", self.text("#ticks"))
            self.value("choose(1)")
            self.assertNotIn("below zero", self.text("#notes"))

    def test_large_networks_take_little_work_a_picture_and_little_room(self):
        grid = self.made("grid", "compare", "diffusion", "diffusion-2", "--max-steps", "150",
                         "--network", "torus:320x320", "--loads", "spike:tokens=10000000")
        stored = self.made("stored", "run", "diffusion", "--max-steps", "60", "--network",
                           "random-regular:n=100000,d=4", "--loads", "spike:tokens=10000000")
        for page, moments in [(grid, 100), (stored, 61)]:
            self.assertLess(os.path.getsize(page), 5_000_000)
            self.open(page)
            self.assertGreaterEqual(self.value("state.timeline.length"), moments)
            sums = set()
            for moment in [0, 10, 40]:
                self.value(f"goTo({moment})")
                sums.add(self.value(PIXELS)["sum"])
                # Shapes and pixels; links are drawn once, and kept.
                self.assertLess(self.value("stage.panels[0].picture.drawn"), 30_000)
            self.assertEqual(len(sums), 3)
            self.assertEqual(self.value("state.now.extent[1] - state.now.extent[0]"),
                             self.value("""page.runs[0].curve.discrepancy[
                                 page.runs[0].curve.steps.indexOf(state.step)]"""))
        self.assertIn("average of about 100 nodes", self.text("#notes"))
        self.assertEqual(self.value("page.networks[0].nodes"), 100_000)
        self.assertEqual(self.value("tiles.mean(page.networks[0], state.now.loads).toFixed(0)"),
                         "100")

    def test_a_run_of_many_steps_takes_little_room_and_ends_as_recorded(self):
        page = self.made("long", "run", "threshold-2", "--network", "path:n=64", "--loads",
                         "spike:tokens=60000")
        self.assertLess(os.path.getsize(page), 2_000_000)
        self.open(page)
        self.assertGreater(self.value("page.runs[0].steps"), 100_000)
        self.browser.key("End")
        self.assertEqual(self.value("state.step"), self.value("page.runs[0].steps"))
        self.assertEqual(self.value("state.now.extent[1] - state.now.extent[0]"),
                         self.value("page.runs[0].discrepancy"))

    def test_many_runs_are_added_from_a_list_and_the_shortest_record_joins_in(self):
        records = []
        for seed in range(12):
            records.append(os.path.join(self.folder.name, f"seed-{seed}.json"))
            subprocess.run([self.options.program, "run", "random-walks", "--network", "path:n=6",
                            "--loads", "spike:tokens=60", "--seed", str(seed), "--quiet",
                            "--record", records[-1], "--record-level",
                            "summary" if seed == 0 else "full"], check=True)
        page = os.path.join(self.folder.name, "many.html")
        subprocess.run([self.options.program, "report", *records, "--html", page], check=True)
        self.open(page)
        self.assertEqual(self.value('document.querySelectorAll("#choices input").length'), 1)
        for run in [3, 7]:
            self.value(f'choices.list.value = "{run}"; '
                       'choices.list.dispatchEvent(new Event("change"))')
        self.assertEqual(self.value("state.shown"), [0, 3, 7])
        self.value('byId("together").value = "parts"; '
                   'byId("together").dispatchEvent(new Event("change"))')
        for part, expected in [(0, 0), (0.6, 0.6), (1, 1)]:
            self.value(f"goTo(Math.round({part} * (state.timeline.length - 1)))")
            parts = self.value("stage.panels.map(({ step, run }) => step / run.steps)")
            # A summary holds the first and the last loads only.
            self.assertEqual(parts[0], 1 if part == 1 else 0)
            for one, run in zip(parts[1:], [3, 7]):
                self.assertAlmostEqual(one, expected,
                                       delta=1.5 / self.value(f"page.runs[{run}].steps"))

    def test_links_are_drawn_once(self):
        self.open("torus.html")
        self.open("tree.html")
        self.value("stage.resize(); drawMoment()")
        first = self.value("stage.panels[0].picture.drawn")
        self.value("goTo(3)")
        self.assertEqual(first - self.value("page.networks[0].ends.length / 2")
                         + self.value("state.now.moving.length"),
                         self.value("stage.panels[0].picture.drawn"))

    def test_runs_play_side_by_side_at_the_same_step(self):
        self.open("abilene.html")
        self.value('document.querySelectorAll("#choices input")[1].click()')
        self.assertEqual(self.value('document.querySelectorAll(".picture").length'), 2)
        last = self.value("page.runs.map((run) => run.steps)")
        for at in [0, 5, min(last), max(last)]:
            self.value(f"goTo({at})")
            self.assertEqual(self.value("stage.panels.map((panel) => panel.step)"),
                             [min(at, steps) for steps in last])
        self.assertIn(f"step {max(last):,} of {max(last):,}", self.text("#moment"))
        self.assertIn("(ended)", self.value(
            f'[...document.querySelectorAll("figcaption")][{last.index(min(last))}].textContent'))
        self.value("goTo(0); player.speed = 4; controls.toggle()")
        self.value("""new Promise((done) => { const look = () =>
            state.moment > 2 ? done() : setTimeout(look, 20); look(); })""")
        self.value("player.stop()")  # however late: one may have ended by then
        moment = self.value("state.moment")
        self.assertEqual(self.value("stage.panels.map((panel) => panel.step)"),
                         [min(moment, steps) for steps in last])
        # A click on a caption chooses, a box hides; the last one stays.
        self.value('document.querySelectorAll("figcaption button")[1].click()')
        self.assertEqual(self.value("state.run"), 1)
        for _ in range(3):
            self.value('document.querySelectorAll("#choices input")[1].click()')
        self.assertEqual(self.value("state.shown"), [0])
        self.value('document.querySelectorAll("#choices input")[0].click()')
        self.assertEqual(self.value("state.shown"), [0])
        self.assertTrue(self.value('document.querySelectorAll("#choices input")[0].checked'))

    def test_runs_of_different_models_play_part_by_part(self):
        self.open("models.html")
        self.value("showRuns([0, 1], 0); goTo(Math.round((state.timeline.length - 1) / 2))")
        steps = self.value("stage.panels.map((panel) => panel.step)")
        for step, last in zip(steps, self.value("page.runs.map((run) => run.steps)")):
            self.assertAlmostEqual(step / last, 0.5, delta=1 / last)
        self.assertEqual(self.text("#moment"), "50 % of each run")
        self.assertTrue(self.value('byId("together").disabled'))
        self.assertIn("same part of its run", self.text("#notes"))
        self.open("abilene.html")
        self.value("""showRuns([0, 1], 0); byId("together").value = "parts";
            byId("together").dispatchEvent(new Event("change")); goTo(state.timeline.length - 1)""")
        self.assertEqual(self.value("stage.panels.map((panel) => panel.step)"),
                         self.value("page.runs.map((run) => run.steps)"))

    def test_messages_glide_in_all_panels(self):
        self.open(self.made("messages-of-two", "compare", "perfect-tree", "minimum-exchange-tree",
                            "--network", "tree:k=2,h=2", "--loads", "spike:tokens=20,node=3",
                            "--delays", "random:max=5"))
        self.value("showRuns([0, 1], 0); goTo(4)")
        before = self.value("stage.panels.map(({ picture }) => picture.messages.map((m) => m.x))")
        self.assertTrue(all(before))
        self.value("player.glide(0.6)")
        after = self.value("stage.panels.map(({ picture }) => picture.messages.map((m) => m.x))")
        for one, other in zip(before, after):
            self.assertEqual(len(one), len(other))
            self.assertNotEqual(one, other)

    def test_every_control_is_reached_by_tab_with_a_frame_around_it(self):
        self.open("abilene.html")
        reached = set()
        for _ in range(80):
            self.browser.key("Tab")
            name, framed = self.value("""(() => { const one = document.activeElement;
                return [one.id || one.dataset.zoom || one.textContent, one === document.body
                    || getComputedStyle(one).outlineStyle !== "none"]; })()""")
            self.assertTrue(framed, name)
            reached.add(name)
        for name in ["keys", "theme", "scale", "back", "play", "step", "time", "speed", "log",
                     "1.4", "0", "Steps", "half"]:
            self.assertIn(name, reached)

    def test_keys_do_what_the_help_says(self):
        self.open("abilene.html")
        key = self.browser.key
        key("?")
        self.assertTrue(self.value('byId("help").open'))
        self.value('byId("help").close()')
        shown = "state.shown"
        for press, expression, expected in [
                ("2", shown, [0, 1]), ("ArrowDown", "state.run", 1), ("ArrowUp", "state.run", 0),
                ("2", shown, [0]), ("+", "stage.panels[0].picture.zoom", 1.4),
                ("0", "stage.panels[0].picture.zoom", 1), (">", "player.speed", 2),
                ("<", "player.speed", 1), ("d", "state.dark", True), ("d", "state.dark", False),
                ("PageDown", "state.moment", self.value("Math.round(state.timeline.length / 10)")),
                ("n", 'document.querySelector(".tip").textContent.split(":")[0]',
                 self.value("page.networks[0].names[0]"))]:
            key(press)
            self.assertEqual(self.value(expression), expected, press)
        key("ArrowRight", shift=True)
        self.assertEqual(self.value("stage.panels[0].picture.panX"), 0)
        key("+")
        key("ArrowRight", shift=True)
        self.assertEqual(self.value("stage.panels[0].picture.panX"), -60)
        key("0")
        log = self.value('byId("log").checked')
        key("l")
        self.assertNotEqual(self.value('byId("log").checked'), log)
        scale = self.value('byId("scale").value')
        key("c")
        self.assertNotEqual(self.value('byId("scale").value'), scale)
        # Every key that does something is in the help, by its name or its sign.
        keys = self.value('[...document.querySelectorAll("#help kbd")].map((k) => k.textContent)')
        words = {" ": "Space", "ArrowRight": "→", "ArrowLeft": "←", "ArrowDown": "↓",
                 "ArrowUp": "↑", "PageDown": "Page Down", "PageUp": "Page Up", "-": "−"}
        for one in self.value("Object.keys(keyActions())"):
            if one != "=":  # plus without shift
                self.assertIn(words.get(one, one.upper() if len(one) == 1 else one), keys)

    def test_paper_gets_a_light_sheet_of_two_pages_at_most(self):
        self.open("abilene.html", dark=True)
        self.value("goTo(3); showRuns([0, 1], 0)")
        printed = base64.b64decode(self.browser.call("Page.printToPDF")["data"])
        self.assertIn(len(re.findall(rb"/Type\s*/Page\b", printed)), [1, 2])
        dark = [{"name": "prefers-color-scheme", "value": "dark"}]
        self.browser.call("Emulation.setEmulatedMedia", media="print", features=dark)
        hidden = '["play", "time", "theme", "scale"].map((id) => byId(id).checkVisibility())'
        self.assertEqual(self.value(hidden), [False] * 4)
        self.assertEqual(self.text("#moment").split(" of")[0], "step 3")
        self.value('dispatchEvent(new Event("beforeprint"))')
        self.assertFalse(self.value("state.dark"))
        self.value('dispatchEvent(new Event("afterprint"))')
        self.assertTrue(self.value("state.dark"))
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def test_who_wants_little_motion_sees_four_pictures_a_second_at_most(self):
        self.open("torus.html")
        self.browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        seconds, pictures = self.value("""new Promise((done) => {
            player.speed = 4;
            goTo(0);
            const begin = performance.now();
            controls.toggle();
            const look = () => {
                const passed = performance.now() - begin;
                if (passed < 900 || state.moment === 0) return setTimeout(look, 20);
                done([passed / 1000, player.pictures]);
            };
            look();
        })""")
        self.assertGreater(pictures, 0)
        self.assertLessEqual(pictures, 4 * seconds + 2)

    def test_large_numbers_look_the_same_everywhere(self):
        self.open("torus.html")
        for value, text in [("1234567", "1,234,567"), ("-1234.5", "−1,235"), ("0.25", "0.25"),
                            ("1.5e15", "1.5 × 10¹⁵"), ("1e12", "10¹²"), ("0", "0"),
                            ('"9007199254740993"', "9.01 × 10¹⁵"), ("0.0012", "1.2 × 10⁻³")]:
            self.assertEqual(self.value(f"show({value})"), text)
        self.assertEqual(self.value('exactly("9007199254740993")'), "9,007,199,254,740,993")
        labels = self.value("""[discrepancyChart, potentialChart].flatMap(({ chart }) =>
            [...chart.scales.x.ticks, ...chart.scales.y.ticks].map(({ label }) => label))""")
        texts = labels + [self.value("document.body.innerText")]
        for text in texts:
            self.assertNotRegex(text, r"\d[KMBT]\b|\de[+\d]")
        self.assertNotIn("", labels)

    def test_figures_of_the_moment_are_never_cut(self):
        for tokens in ["999999999", "1152921504606846976", "1000"]:
            page = self.made("figures" + tokens, "run", "diffusion", "--network", "torus:8x8",
                             "--loads", f"spike:tokens={tokens}")
            for width in [1280, 1000, 400, 320]:
                self.open(page, width=width)
                wide, room = self.value("""[...document.querySelectorAll("#tiles dd")].reduce(
                    ([wide, room], box) => box.scrollWidth - box.clientWidth > wide - room
                    ? [box.scrollWidth, box.clientWidth] : [wide, room], [0, 0])""")
                self.assertLessEqual(wide, room, f"{tokens} tokens, {width} pixels")

    def test_the_potential_is_explained(self):
        self.open("abilene.html")
        note = "document.querySelectorAll('.curve')[1].querySelector('.note')"
        self.assertIn("summed over all pairs of nodes", self.value(f"{note}.textContent"))
        self.assertIn("n Σx² − T²", self.value(f"{note}.title"))
        # What the text says is what is drawn.
        self.assertEqual(self.value("""state.now.loads.reduce((sum, x, i) => sum
            + state.now.loads.slice(0, i).reduce((part, y) => part + (x - y) ** 2, 0), 0)"""),
                         self.value("page.runs[0].curve.potential[0]"))

    def test_the_table_needs_no_scrolling_sideways(self):
        page = self.made("wide", "compare", "discrepancy-1", "mesh-strong", "diffusion",
                         "deal-agreement-1", "--optimum", "--network", "mesh:12x12", "--loads",
                         "corner:tokens=500000")
        for width in [1300, 1280, 1000, 400, 320]:
            self.open(page, width=width)
            self.assertLessEqual(*self.value("""(() => { const box = document.querySelector(
                ".scroll"); return [box.scrollWidth, box.clientWidth]; })()"""), width)
        self.assertEqual(self.value("""getComputedStyle(
            document.querySelector("#runs td:last-child"), "::before").content"""),
                         '"Ended because"')

    def test_a_low_frame_holds_the_picture_and_its_player(self):
        for name in ["abilene.html", "torus.html", "tree.html"]:
            self.open(name, width=700, height=500)
            self.assertLessEqual(self.value('byId("time").getBoundingClientRect().bottom'), 500)
            self.assertGreater(self.value("stage.panels[0].picture.height"), 140)

    def test_hostile_names_stay_text(self):
        self.open("hostile.html")
        self.assertIsNone(self.value("window.attacked"))
        self.assertEqual(self.value('document.querySelectorAll("img, b").length'), 0)
        self.assertIn("<script>", self.value("page.networks[0].names[0]"))
        self.assertIn("{{data}}", self.value("document.title"))


if __name__ == "__main__":
    PageTest.main(__doc__)
