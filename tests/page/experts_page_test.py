"""Opens pages of plans of experts in a headless browser and uses them like an operator."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import PageCase  # noqa: E402

PAGES = ["day", "one", "long", "above", "hostile", "nothing"]
ROWS = '[...document.querySelectorAll("#bars tbody tr")]'
CELLS = ROWS + '.map((row) => [...row.cells].map((cell) => cell.textContent))'
INK = """getComputedStyle([...document.querySelectorAll("#picture svg text")]
    .find((one) => one.getClientRects().length)).fill"""


class ExpertsPageTest(PageCase):
    def open(self, name, **how):
        super().open(name + ".html", **how)

    def column(self, number):
        return [row[number] for row in self.value(CELLS)]

    def test_every_page_opens_without_a_complaint_and_fits(self):
        self.expect_to_open_and_fit(PAGES, [(1280, False), (1280, True), (800, False), (400, True),
                                            (400, False)])

    def test_names_of_files_stay_texts(self):
        self.open("hostile")
        self.assertTrue(self.value("window.attacked === undefined"))
        self.assertIn("<script>", self.text("h1"))
        self.assertEqual(self.value('document.querySelectorAll("img").length'), 0)

    def test_pictures_are_as_wide_as_the_page_is_and_their_text_can_be_read(self):
        for width, shown in [(1280, "wide"), (400, "narrow")]:
            self.open("day", width=width)
            self.assertEqual(self.value("""[...byId("picture").children]
                .filter((one) => one.getClientRects().length).map((one) => one.className)"""),
                [shown])
            size = self.value(f"""(() => {{
                const svg = document.querySelector("#picture .{shown} svg");
                return parseFloat(getComputedStyle(svg.querySelector("text")).fontSize)
                    * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width; }})()""")
            self.assertGreaterEqual(size, 10.5)
            self.assertIn("worst layer", self.text(f"#picture .{shown}"))

    def test_pictures_take_the_ink_of_the_page(self):
        self.open("day")
        light = self.value(INK)
        self.browser.key("d")
        self.assertNotEqual(self.value(INK), light)
        self.assertEqual(self.value(INK), self.value(
            "getComputedStyle(document.querySelector('#course-title')).color"))
        self.assertEqual(self.value("""getComputedStyle(document.querySelector(
            "#picture .wide > svg > rect")).fill"""), "none")

    def test_keys_go_from_step_to_step(self):
        self.open("day")
        self.assertEqual(self.value("state.step"), 23)
        for key, step in [("Home", 0), ("ArrowLeft", 0), ("ArrowRight", 1), ("PageDown", 3),
                          ("PageUp", 1), ("End", 23), ("ArrowRight", 23)]:
            self.browser.key(key)
            self.assertEqual(self.value("state.step"), step, key)
            self.assertEqual(self.value('Number(byId("time").value)'), step)
        self.browser.key("o")
        self.assertEqual(self.value('byId("order").value'), "before")
        self.browser.key("?")
        self.assertTrue(self.value('byId("help").open'))

    def test_the_table_shows_the_layers_of_the_step(self):
        self.open("day")
        self.value("goTo(0)")
        self.assertEqual(self.column(0), [str(layer) for layer in range(3, 61)])
        for step, column, name in [(0, 3, "after"), (5, 2, "before"), (5, 4, "at_least")]:
            self.value(f"goTo({step})")
            for shown, level in zip(self.column(column), self.value(f"steps[{step}].{name}")):
                self.assertAlmostEqual(float(shown), level, delta=0.000501)
        self.assertIn("experts copied, at least", self.text("#step-words"))
        self.assertIn("step 5 · 6 of 24", self.text("#moment"))

    def test_layers_are_ordered_as_chosen(self):
        self.open("day")
        for order, column in [("before", 2), ("after", 3), ("copied", 5)]:
            self.choose("order", order)
            figures = [float(cell) for cell in self.column(column)]
            self.assertEqual(figures, sorted(figures, reverse=True), order)

    def test_bars_begin_at_the_mean_and_end_at_the_fullest(self):
        self.open("day")
        self.value("goTo(0)")
        widths = self.value(ROWS + """.map((row) => [row.querySelector(".held").style.width,
            row.querySelector(".before").style.width].map(parseFloat))""")
        levels = self.value("steps[0].after.map((after, i) => [after, steps[0].before[i]])")
        highest = self.value("highest")
        for row, figures in zip(widths, levels):
            for width, level in zip(row, figures):
                self.assertAlmostEqual(width, 100 * (level - 1) / (highest - 1), delta=0.01)

    def test_a_single_plan_has_no_player_and_marks_layers_above_the_bound(self):
        self.open("above")
        self.assertTrue(self.value('byId("player").hidden'))
        self.assertEqual(self.value(ROWS + '.map((row) => row.className)'), ["", "", "over", ""])
        self.assertEqual(self.value('byId("verdict").className'), "no")
        self.assertEqual(self.value("""getComputedStyle(document.querySelector(
            "#bars th.before")).display"""), "none")
        self.assertIn("expert 7 alone", self.text("#proofs"))
        self.open("day")
        self.assertEqual(self.value('byId("verdict").className'), "yes")
        self.assertTrue(self.value('byId("proofs").hidden'))

    def test_it_plays_to_the_end(self):
        self.open("day")
        self.choose("speed", "4")
        self.browser.key(" ")
        self.value("""new Promise((done) => { const look = () =>
            !player.playing ? done() : setTimeout(look, 20); setTimeout(look, 100); })""")
        self.assertEqual(self.value("state.step"), 23)
        self.assertGreater(self.value("player.pictures"), 2)
        self.assertEqual(self.browser.complaints(), [])

    def test_a_page_of_the_program_opens(self):
        loads = os.path.join(self.folder.name, "loads.json")
        with open(loads, "w", encoding="utf-8") as file:
            file.write("[[[9, 1, 1, 1], [1, 1, 9, 1]], [[1, 9, 1, 1], [0, 0, 0, 0]]]")
        page = self.made("made", "experts", "--loads", loads, "--gpus", "2", "--slots", "3",
                         "--each-step")
        super().open(page)
        self.assertEqual(self.value("steps.length"), 2)
        self.assertEqual(self.value("steps[1].layer"), [0])


if __name__ == "__main__":
    ExpertsPageTest.main(__doc__)
