"""Opens pages of plans in a headless browser and uses them like an operator."""

import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import PageCase  # noqa: E402

PAGES = ["shards", "large", "broken", "nothing", "hostile"]
ROWS = '[...document.querySelectorAll("#list tbody tr")]'
CELLS = ROWS + '.map((row) => [...row.cells].map((cell) => cell.textContent))'
# The largest difference between what is held and what the program says.
OFF = """Math.max(0, ...course.held.flatMap((column, resource) => [...column].map(
    (amount, machine) => Math.abs(amount - plan.machines.%s[resource][machine]))))"""


class PlanPageTest(PageCase):
    def open(self, name, **how):
        super().open(name + ".html", **how)

    def text(self, name):
        return self.value(f'byId("{name}").textContent')

    def search(self, words):
        self.value(f"""(() => {{ byId("search").value = "{words}";
            byId("search").dispatchEvent(new Event("input")); }})()""")

    def test_every_page_opens_without_a_complaint_and_fits(self):
        self.expect_to_open_and_fit(PAGES, [(1300, False), (1300, True), (900, False), (700, True),
                                            (400, False)])

    def test_waves_lead_from_before_to_after_and_back(self):
        for name in ["shards", "large", "broken"]:
            with self.subTest(page=name):
                self.open(name)
                self.assertLess(self.value(OFF % "after"), 1)
                self.assertGreater(self.value(OFF % "before"), 1)
                self.value("goTo(0)")
                self.assertEqual(self.value(OFF % "before"), 0)
                self.value("goTo(course.waves)")
                self.assertLess(self.value(OFF % "after"), 1)

    def test_bars_show_what_machines_hold_in_the_wave_chosen(self):
        self.open("shards")
        cell = """[...document.querySelectorAll("#bars tbody tr")].find((row) =>
            row.cells[0].textContent.startsWith("a3")).cells[3].textContent"""
        width = """[...document.querySelectorAll("#bars tbody tr")].find((row) =>
            row.cells[0].textContent.startsWith("a3")).querySelector(".held").style.width"""
        self.assertEqual(self.value(cell), "0 B")
        self.assertEqual(self.value(width), "0%")
        self.value("goTo(0)")
        self.assertEqual(self.value(cell), "23.0 GB")
        self.assertNotEqual(self.value(width), "0%")
        self.value("goTo(1)")
        self.assertIn("20.0 GB", self.value(cell))
        self.choose("resource", 0)
        self.value("goTo(0)")
        self.assertEqual(self.value(cell), "6")

    def test_groups_add_up_their_machines(self):
        self.open("shards")
        rows = self.value("""[...document.querySelectorAll("#bars tr.group")].map((row) =>
            [row.cells[0].querySelector("button").textContent, row.cells[2].textContent])""")
        self.assertEqual([name for name, _ in rows], ["rack a", "rack b"])
        self.value("goTo(0)")
        sums = self.value("""[0, 1].map((rack) => plan.labels[0].of.reduce((sum, of, machine) =>
            sum + (of === rack ? plan.machines.before[1][machine] : 0), 0))
            .map((sum) => amountText(1, sum))""")
        self.assertEqual([before for _, before in rows], sums)
        self.choose("group", "")
        self.assertEqual(self.value('document.querySelectorAll("#bars tr.group").length'), 0)

    def test_keys_go_from_wave_to_wave(self):
        self.open("shards")
        waves = self.value("course.waves")
        for key, wave in [("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1),
                          ("End", waves), ("PageUp", waves - 1), ("PageDown", waves)]:
            self.browser.key(key)
            self.assertEqual(self.value("course.wave"), wave, key)
            self.assertEqual(self.value('Number(byId("time").value)'), wave)
        for key, expression in [("r", 'byId("resource").value'), ("g", 'byId("group").value'),
                                ("o", 'byId("order").value'), ("a", 'byId("idle").checked'),
                                ("w", 'byId("this-wave").checked'), ("<", 'byId("speed").value'),
                                ("d", "state.dark")]:
            before = self.value(expression)
            self.browser.key(key)
            self.assertNotEqual(self.value(expression), before, key)
        self.browser.key("/")
        self.assertEqual(self.value("document.activeElement.id"), "search")
        self.browser.key("Escape")
        self.browser.key("?")
        self.assertTrue(self.value('byId("help").open'))

    def test_it_plays_and_pauses(self):
        self.open("large")
        self.browser.key("Home")
        self.browser.key(" ")
        self.value("""new Promise((done) => { const look = () => {
            if (course.wave <= 2) return setTimeout(look, 20);
            player.speed = 0;  // it plays on, and however late it is paused, not to its end
            done();
        }; look(); })""")
        self.assertEqual(self.value('byId("play").getAttribute("aria-label")'), "Pause")
        self.browser.key(" ")
        self.assertEqual(self.value('byId("play").getAttribute("aria-label")'), "Play")
        self.value("player.speed = 1")
        wave = self.value("course.wave")
        self.value("new Promise((done) => setTimeout(done, 400))")
        self.assertEqual(self.value("course.wave"), wave)
        self.assertEqual(self.browser.complaints(), [])

    def test_who_wants_little_motion_sees_four_pictures_a_second_at_most(self):
        self.open("large")
        self.browser.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-reduced-motion", "value": "reduce"}])
        seconds, pictures = self.value("""new Promise((done) => {
            player.speed = 4;
            goTo(0);
            const begin = performance.now();
            controls.toggle();
            setTimeout(() => done([(performance.now() - begin) / 1000, player.pictures]), 900);
        })""")
        self.assertLessEqual(pictures, 4 * seconds + 2)
        self.assertEqual(self.value("""parseFloat(getComputedStyle(
            document.querySelector(".track .held")).transitionDuration)"""), 0)

    def test_the_list_is_searched_sorted_and_turned(self):
        self.open("large")
        self.assertEqual(self.value(ROWS + ".length"), 50)
        self.assertIn("1 to 50 of 50,000 moves", self.text("list-note"))
        self.search("partition-4999")
        self.assertIn("of 11 moves that fit", self.text("list-note"))
        head = ('[...document.querySelectorAll("#list th button")]'
                '.find((button) => button.textContent === "Item")')
        self.value(head + ".click()")
        names = [row[1] for row in self.value(CELLS)]
        self.assertEqual(names, ["partition-4999"] + [f"partition-4999{i}" for i in range(10)])
        self.value(head + ".click()")
        self.assertEqual([row[1] for row in self.value(CELLS)], names[::-1])
        self.search("no such thing")
        self.assertEqual(self.text("list-note"), "No move fits.")
        self.search("")
        self.value('byId("page-on").click()')
        self.assertIn("51 to 100 of", self.text("list-note"))
        self.value("list.turn(1e6)")
        self.assertIn("to 50,000 of 50,000", self.text("list-note"))
        self.assertTrue(self.value('byId("page-on").disabled'))

    def test_search_words_may_stand_in_items_and_machines(self):
        self.open("shards")
        self.search("shard a3 b10")
        self.assertTrue(self.value(ROWS + ".length") > 0)
        for row in self.value(CELLS):
            self.assertEqual(row[2:4], ["a3", "b10"])

    def test_moves_of_one_wave_or_one_machine(self):
        self.open("shards")
        self.browser.key("w")
        self.value("goTo(1)")
        self.assertEqual([row[0] for row in self.value(CELLS)], ["0"])
        self.value("goTo(course.waves)")
        self.assertEqual([row[0] for row in self.value(CELLS)], ["6", "6"])
        self.value('byId("this-wave").click()')
        self.value("""[...document.querySelectorAll("#bars tbody th button")].find((button) =>
            button.textContent === "b2").click()""")
        rows = self.value(CELLS)
        self.assertTrue(rows and all("b2" in row[2:4] for row in rows))
        self.assertIn("only b2", self.text("machine-chip"))
        self.value('byId("machine-chip").click()')
        self.assertEqual(self.value(ROWS + ".length"), 8)

    def test_a_large_plan_stays_small_and_quick(self):
        path = os.path.join(self.folder.name, "large.html")
        self.assertLess(os.path.getsize(path), 5_000_000)
        begin = time.monotonic()
        self.open("large")
        self.assertLess(time.monotonic() - begin, 10)
        self.assertEqual(self.value('document.querySelectorAll("#bars tr.group").length'), 50)
        self.assertLess(self.value('document.querySelectorAll("#bars tr").length'), 100)
        self.value('document.querySelector("#bars tr.group button").click()')
        self.assertEqual(self.value("""document.querySelector("#bars tr.group button")
            .getAttribute("aria-expanded")"""), "true")
        self.assertEqual(self.value("document.activeElement.tagName"), "BODY")
        self.choose("group", "")
        self.assertEqual(self.value('document.querySelectorAll("#bars tbody tr").length'), 61)
        self.value('document.querySelector("#bars .more button").click()')
        self.assertEqual(self.value('document.querySelectorAll("#bars tbody tr").length'), 301)
        milliseconds = self.value("""(() => { const begin = performance.now();
            for (let i = 0; i < 20; ++i) { goTo(i); document.body.offsetHeight; }
            return (performance.now() - begin) / 20; })()""")
        self.assertLess(milliseconds, 500)
        milliseconds = self.value("""(() => { const begin = performance.now();
            list.words = "9 7"; list.find(); return performance.now() - begin; })()""")
        self.assertLess(milliseconds, 3000)
        self.assertFalse(self.value('byId("profile").hidden'))

    def test_machines_that_do_not_change_are_left_out_until_asked_for(self):
        self.open("shards")
        self.assertFalse(self.value('byId("idle-choice").hidden'))
        names = """[...document.querySelectorAll("#bars tbody tr:not(.group) th button")].map(
            (button) => button.textContent)"""
        self.assertEqual(self.value(names), ["a1", "a2", "a3", "b1", "b2", "b10"])
        self.value('byId("idle").click()')
        self.assertEqual(self.value(names), ["a1", "a3", "b1", "b2", "b10"])
        self.assertIn("1 machine that does not change is not listed", self.text("bars-note"))

    def test_figures_are_those_of_the_program(self):
        self.open("shards")
        with open(os.path.join(self.folder.name, "amounts.txt"), encoding="utf-8") as file:
            for line in file:
                amount, text = line.rstrip("\n").split("\t")
                self.assertEqual(self.value(f"amountText(1, {amount})"), text)
        tiles = self.value("""Object.fromEntries([...document.querySelectorAll("#tiles div")].map(
            (tile) => [tile.querySelector("dt").textContent,
                       tile.querySelector("dd span").textContent]))""")
        self.assertEqual(tiles["moves"], "8")
        self.assertEqual(tiles["waves"], "7")
        self.assertEqual(tiles["rules"], "all hold")
        self.assertIn("No plan moves less", self.text("proofs"))
        self.assertIn("owner is not used", self.text("notes"))

    def test_a_plan_that_breaks_rules_says_which_and_what_would_do(self):
        self.open("broken")
        self.assertIn("broken", self.text("verdict"))
        self.assertEqual(self.value('byId("verdict").className'), "no")
        self.assertIn("14.0 GB above", self.text("broken-before"))
        self.assertIn("8.00 GB above", self.text("broken-after"))
        self.assertFalse(self.value('byId("conflicts").hidden'))
        self.assertIn("capacity of a: size 18 GB", self.text("conflicts"))
        self.assertTrue(self.value("""[...document.querySelectorAll("#bars tbody tr")].find((row) =>
            row.cells[0].textContent.startsWith("a")).classList.contains("over")"""))
        self.open("shards")
        self.assertEqual(self.value('byId("verdict").className'),
                         "yes" if self.value("plan.reached") else "no")
        self.assertTrue(self.value('byId("conflicts").hidden'))
        self.assertEqual(self.text("broken-after"), "none")

    def test_a_plan_without_moves_cannot_be_played(self):
        self.open("nothing")
        self.assertTrue(self.value('byId("play").disabled'))
        self.assertEqual(self.text("list-note"), "Nothing moves.")
        self.assertTrue(self.value('byId("strip").hidden'))

    def test_every_control_has_a_name(self):
        for name in PAGES:
            self.open(name)
            self.assertEqual(self.value("""
                [...document.querySelectorAll("button, select, input")]
                .filter((control) => !(control.getAttribute("aria-label")
                    || control.textContent.trim() || control.labels?.length))
                .map((control) => control.id)"""), [])
            self.assertEqual(self.value('[...document.querySelectorAll("th")]'
                                        ".filter((cell) => !cell.scope).length"),
                             self.value('document.querySelectorAll("#conflicts th").length'))

    def test_on_paper_it_is_light_and_lists_its_moves(self):
        self.open("large", dark=True)
        self.value('dispatchEvent(new Event("beforeprint"))')
        self.assertFalse(self.value("state.dark"))
        self.assertEqual(self.value(ROWS + ".length"), 1000)
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(self.value('["play", "time", "theme", "search", "strip"].map((id) => '
                                    "byId(id).checkVisibility())"), [False] * 5)
        self.value('dispatchEvent(new Event("afterprint"))')
        self.assertTrue(self.value("state.dark"))
        self.assertEqual(self.value(ROWS + ".length"), 50)
        self.browser.call("Emulation.setEmulatedMedia", media="")

    def test_hostile_names_stay_text(self):
        self.open("hostile")
        self.assertIsNone(self.value("window.attacked"))
        self.assertEqual(self.value('document.querySelectorAll("img, #bars b").length'), 0)
        self.assertIn("</script>", self.value("plan.machines.name[0]"))
        self.assertIn("{{data}}", self.value("document.body.textContent"))

    def test_the_program_writes_such_a_page(self):
        items, page = (os.path.join(self.folder.name, name) for name in ["s.csv", "made.html"])
        with open(items, "w", encoding="utf-8") as file:
            file.write("item,machine,size\n" + "".join(f"i{k},a,{k + 1} GB\n" for k in range(12)))
            file.write("last,b,1 GB\n")
        subprocess.run([self.options.program, "reassign", items, "--effort", "1000", "--quiet",
                        "--html", page], check=True)
        self.open("made")
        self.assertIn("13 items on 2 machines", self.value("document.title"))
        self.assertTrue(self.value("plan.reached"))
        self.assertLess(self.value(OFF % "after"), 1)


if __name__ == "__main__":
    PlanPageTest.main(__doc__)
