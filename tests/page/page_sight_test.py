"""Looks at pages in a headless browser: where things are, whether they fit, what words say."""

import itertools
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import PageCase  # noqa: E402

BOX = """((one) => { const { left, right, top, bottom, width, height } = (typeof one === "string"
    ? document.querySelector(one) : one).getBoundingClientRect();
    return { left, right, top, bottom, width, height }; })"""
# How far canvases of curves run out of their cards, at most.
OVERRUN = """Math.max(...[...document.querySelectorAll(".chart canvas")].map((canvas) => {
    const card = canvas.closest(".card").getBoundingClientRect();
    const { right, bottom } = canvas.getBoundingClientRect();
    return Math.max(right - card.right, bottom - card.bottom); }))"""
ALGORITHMS = ["dimension-exchange", "diffusion", "threshold-2"]


class PageSightTest(PageCase):
    def compared(self, network, loads="spike:tokens=1600", algorithms=ALGORITHMS):
        return self.made(re.sub(r"\W", "-", f"{network} {loads}"), "compare", *algorithms,
                         "--network", network, "--loads", loads)

    def box(self, selector):
        return self.value(f"{BOX}({selector!r})")

    def set_width(self, width):
        """Does not wait until the page has been drawn again."""
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900,
                          deviceScaleFactor=1, mobile=False)

    def test_links_of_a_dimension_of_a_hypercube_are_parallel(self):
        for dimensions in [3, 4, 5, 6]:
            for width in [1280, 400]:
                self.open(self.compared(f"hypercube:d={dimensions}"), width=width)
                angles = self.value("""(() => { const { picture, network } = stage.panels[0];
                    const found = {};
                    for (let i = 0; i < network.ends.length; i += 2) {
                      const [a, b] = [network.ends[i], network.ends[i + 1]].sort((x, y) => x - y);
                      (found[a ^ b] ??= []).push(Math.atan2(picture.y[b] - picture.y[a],
                                                            picture.x[b] - picture.x[a]));
                    }
                    return Object.values(found); })()""")
                self.assertEqual(len(angles), dimensions)
                for one in angles:
                    self.assertLess(max(one) - min(one), 0.02)
                for one, other in itertools.combinations(angles, 2):
                    self.assertGreater(abs(one[0] - other[0]), 0.1)

    def test_low_networks_leave_no_hole_beside_the_curves(self):
        for network in ["path:n=5", "path:n=12", "path:n=30", "caterpillar:spine=9,legs=1",
                        "lollipop:clique=5,path=14", "hypercube:d=4", "mesh:30x3", "spider:9x9x9",
                        "torus:90x5"]:
            self.open(self.compared(network, algorithms=["threshold-2", "diffusion"]))
            left, curves, main = self.box("#left"), self.box("#curves"), self.box("main")
            if curves["top"] < left["bottom"]:
                self.assertAlmostEqual(self.box("#tiles")["bottom"],
                                       self.box(".curve:last-child")["bottom"], delta=1,
                                       msg=network)
                self.assertGreater(left["right"], 0.5 * main["right"], network)
            else:
                self.assertAlmostEqual(left["right"], main["right"], delta=1, msg=network)
            # Neither is the hole in the picture: nodes reach near its edges.
            width, height, right, bottom = self.value("""(({ picture }) => [picture.width,
                picture.height, ...(picture.cell ? [90 * picture.cell, 5 * picture.cell]
                : [picture.x, picture.y].map((all) => Math.max(...all) + picture.radius))])
                (stage.panels[0])""")
            self.assertGreater(right, 0.6 * width, network)
            self.assertLess(height - bottom, 75, network)
            picture = self.box(".picture")
            self.assertLess(self.box("#legend")["top"] - picture["bottom"], 130, network)

    def test_cells_of_a_grid_of_many_rows_lie_on_their_side(self):
        self.open(self.compared("torus:90x5", "spike:tokens=1600,node=7"))
        # Node 7 is row 1, column 2.
        x, y = self.value("(({ left, top, cell }) => [left + 1.5 * cell, top + 2.5 * cell])"
                          "(stage.panels[0].picture)")
        self.assertEqual(self.value(f"stage.panels[0].picture.describe({x}, {y})"),
                         "row 1, column 2: 1,600 tokens")
        dark = self.value(f"""[...document.querySelector(".picture").getContext("2d")
            .getImageData({x} * stage.panels[0].picture.density,
                          {y} * stage.panels[0].picture.density, 1, 1).data]""")
        self.assertLess(max(dark[:3]), 110)
        self.value("stage.panels[0].pointNode(7)")
        self.assertEqual(self.text(".tip"), "row 1, column 2: 1,600 tokens")

    def test_runs_of_all_models_stay_in_sight_so_that_freezing_is_seen(self):
        self.open(self.compared("hypercube:d=4"))
        ends = """(({ chart }) => chart.data.datasets.map((one, i) => {
            const { x, y } = chart.getDatasetMeta(i).data.at(-1).getProps(["x", "y"]);
            const { left, right, top, bottom } = chart.chartArea;
            return [one.label, x >= left && x <= right + 1 && y >= top - 1 && y <= bottom + 1,
                bottom - y, one.xAxisID]; }))(discrepancyChart)"""
        found = {name: rest for name, *rest in self.value(ends)}
        self.assertEqual(list(found), ALGORITHMS)
        self.assertTrue(all(inside for inside, _, _ in found.values()))
        # Diffusion is frozen above the level that dimension exchange reaches.
        self.assertAlmostEqual(found["dimension-exchange"][1], 0, delta=1)
        self.assertGreater(found["diffusion"][1], 15)
        self.assertEqual([axis for _, _, axis in found.values()], ["x", "x1", "x"])
        self.assertEqual(self.value("discrepancyChart.chart.options.scales.x1.title.text"),
                         "multi-port steps: diffusion")
        tip = "discrepancyChart.chart.options.plugins.tooltip.callbacks.label"
        self.assertEqual(self.value(f"""{tip}({{ dataset: {{ label: "diffusion" }}, datasetIndex: 1,
            raw: {{ step: 11, place: 11 }}, parsed: {{ y: discrepancyChart.y.to(8) }} }})"""),
            " diffusion: 8 at step 11")

        self.value("""byId("over").value = "messages";
            byId("over").dispatchEvent(new Event("change"))""")
        self.assertEqual(self.value("""discrepancyChart.chart.data.datasets.map((one) =>
            [one.xAxisID, Math.round(one.data.at(-1).place)])"""),
            [["x", count] for count in self.value("page.runs.map((run) => run.messages)")])
        self.assertEqual(self.value("discrepancyChart.chart.options.scales.x.title.text"),
                         "messages")
        self.assertIn("spread evenly", self.text("#axes-note"))
        # A click still goes to a step of the chosen run.
        self.value("""discrepancyChart.chart.options.onClick({ x:
            discrepancyChart.chart.scales.x.getPixelForValue(discrepancyChart.x.to(64)) })""")
        self.assertEqual(self.value("state.step"), 4)

    def test_logarithmic_axes_have_all_powers_of_ten_and_little_room_below_one(self):
        self.open(self.compared("hypercube:d=4"))
        for top in [10, 29, 100, 1600, 24_032, 10 ** 9, 10 ** 18]:
            powers, lines, one = self.value(f"""((axis) => [axis.powers(), [...axis.named(),
                ...axis.nameless()], axis.to(1) / axis.to({top})])(new Axis({top}, true))""")
            self.assertEqual(powers, [10 ** e for e in range(len(str(top)))])
            self.assertLessEqual(set([0, *powers]), set(lines))
            self.assertLess(one, 0.2)
            for value in [0, 0.5, 1, 7, top]:
                there_and_back = self.value(
                    f"((axis) => axis.from(axis.to({value})))(new Axis({top}, true))")
                self.assertAlmostEqual(there_and_back, value, delta=1e-6 * value)
        built = "discrepancyChart.chart.scales.y.ticks.map(({ label }) => label)"
        self.assertEqual(self.value(built), ["0", "1", "10", "100", "1,000"])

    def test_curves_never_run_out_of_their_card(self):
        page = self.compared("path:n=12")
        for shown in ["[0]", "[0, 1, 2]"]:
            for _ in range(8):
                self.open(page, width=1280)
                self.value(f"showRuns({shown}, 0)")
                self.set_width(400)
                self.assertLessEqual(self.value(OVERRUN), 0)
                # The first picture of the new width, which may not have come yet, has curves of
                # that width.
                drawn, place = self.value("""new Promise((done) => {
                    const place = document.querySelector(".chart");
                    new ResizeObserver(() => {
                        if (innerWidth !== 400) return;
                        done([discrepancyChart.chart.width, place.clientWidth]);
                    }).observe(place); })""")
                self.assertEqual(drawn, place)
                self.assertEqual(self.browser.complaints(), [])
                self.assertLessEqual(self.value(OVERRUN), 0)

    def test_a_page_that_is_not_shown_does_not_draw(self):
        self.open(self.compared("path:n=12"))
        self.value('document.querySelector("main").style.display = "none"')
        self.value('dispatchEvent(new Event("resize"))')
        self.value("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
        self.value('document.querySelector("main").style.display = ""')
        self.value('dispatchEvent(new Event("resize"))')
        self.assertGreater(self.value("stage.panels[0].picture.width"), 300)
        self.assertEqual(self.browser.complaints(), [])

    def test_the_number_of_a_spike_is_shown_even_if_its_node_is_too_small(self):
        self.open(self.compared("path:n=12", "spike:tokens=12000"), width=1280)
        self.assertEqual(self.value("stage.panels[0].picture.beside"), [])
        for network, width, dark in [("path:n=12", 400, False), ("path:n=12", 400, True),
                                     ("hypercube:d=6", 400, False), ("mesh:9x20", 1280, False)]:
            self.open(self.compared(network, "spike:tokens=12000"), width=width, dark=dark)
            beside = self.value("stage.panels[0].picture.beside")
            self.assertEqual([(one["text"], one["node"]) for one in beside], [("12,000", 0)])
            self.assertTrue(20 < beside[0]["x"] < width and beside[0]["y"] > 7, network)
            # It disappears when the tokens have spread.
            self.value("goTo(state.timeline.length - 1)")
            self.assertEqual(self.value("stage.panels[0].picture.beside"), [])

    def test_sorting_takes_one_row_on_a_narrow_page(self):
        self.open(self.compared("hypercube:d=4"), width=400)
        self.assertFalse(self.value('document.querySelector("#runs thead").checkVisibility()'))
        title, sort = self.box("#runs-title"), self.box("#sort-choice")
        self.assertLess(sort["height"], 40)
        self.assertLess(abs(sort["top"] - title["top"]), 20)
        order = ('[...document.querySelectorAll("#runs tbody tr")]'
                 '.map((row) => page.runs[row.dataset.run].steps)')
        steps = self.value(order)
        self.value("""(() => { const list = byId("sort");
            list.value = [...list.options].find(({ text }) => text === "Steps").value;
            list.dispatchEvent(new Event("change")); })()""")
        self.assertEqual(self.value(order), sorted(steps))
        self.value('byId("sort-way").click()')
        self.assertEqual(self.value(order), sorted(steps, reverse=True))
        self.assertEqual(self.text("#sort-way"), "↓")
        self.open(self.compared("hypercube:d=4"), width=1280)
        self.assertFalse(self.value('byId("sort-choice").checkVisibility()'))

    def test_the_bar_below_the_colours_is_explained(self):
        for dark in [False, True]:
            self.open(self.compared("hypercube:d=4"), width=400, dark=dark)
            note, legend = self.box("#range-note"), self.box("#legend")
            self.assertTrue(0 <= note["top"] - legend["bottom"] < 12 and note["height"] < 24)
            self.assertIn("spans the loads at this moment", self.text("#range-note"))
            colour = 'getComputedStyle(document.querySelector("%s")).backgroundColor'
            self.assertEqual(self.value(colour % ".bar"), self.value(colour % "#range"))

    def test_words_tell_their_meaning_to_pointers_keys_and_fingers(self):
        with open(os.path.join(os.path.dirname(__file__), "../../docs/glossary.md"),
                  encoding="utf-8") as file:
            rows = [line[2:-3].split(" | ", 1) for line in file if line.startswith("| ")]
        glossary = {row[0]: row[1] for row in rows if len(row) == 2}
        page = self.compared("hypercube:d=4")
        for width in [1280, 400]:
            self.open(page, width=width)
            words = self.value('[...new Set([...document.querySelectorAll(".term")]'
                               '.map((one) => one.textContent))]')
            for word in ["single-port", "multi-port", "quiet", "promised"]:
                self.assertIn(word, words)
            for word in words:
                which = (f'[...document.querySelectorAll(".term")].filter((one) => '
                         f'one.textContent === "{word}" && one.checkVisibility()).at(-1)')
                self.value(which + '.scrollIntoView({ block: "center" })')
                box = self.value(f"{BOX}({which})")
                self.browser.move_to(box["left"] + 4, box["top"] + 4)
                shown = self.text("#meaning")
                self.assertTrue(self.value('byId("meaning").checkVisibility()'), word)
                self.assertTrue(shown.startswith(word + ": "))
                self.assertTrue(glossary[word].startswith(shown[len(word) + 2:]), word)
                self.assertEqual(self.value(f'byId({which}.getAttribute("aria-describedby"))'
                                            '.textContent'), shown[len(word) + 2:])
                tip = self.box("#meaning")
                self.assertTrue(tip["left"] >= 0 and tip["right"] <= width and tip["top"] >= 0)
                self.browser.move_to(1, 1)
                self.assertFalse(self.value('byId("meaning").checkVisibility()'))
        # A touch on a word does not choose its row.
        self.value('document.querySelectorAll("#runs tbody tr")[1].querySelector(".term").click()')
        self.assertTrue(self.value('byId("meaning").checkVisibility()'))
        self.assertEqual(self.value("state.run"), 0)
        self.browser.key("Escape")
        self.assertFalse(self.value('byId("meaning").checkVisibility()'))
        reached = set()
        for _ in range(60):
            self.browser.key("Tab")
            if self.value('document.activeElement.classList.contains("term")'):
                self.assertTrue(self.value('byId("meaning").checkVisibility()'))
                reached.add(self.value("document.activeElement.textContent"))
        self.assertLessEqual({"single-port", "multi-port", "quiet", "promised"}, reached)


if __name__ == "__main__":
    PageSightTest.main(__doc__)
