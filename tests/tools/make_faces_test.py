#!/usr/bin/env python3
"""Every face of the balancer is as its description says, and a new field reaches all of them."""
import io
import re
import shutil
import sys
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import make_faces  # noqa: E402

FOLDERS = ["equipoise/capi", "equipoise/balancer", "python", "docs/reference"]
HEADER = "equipoise/capi/equipoise.h"
FIGURE = '''
[report.hops_most]
type = "count"
doc = "Hops of the item that took the most."
'''
OPTION = '''
[options.hops_max]
type = "count"
default = 3
doc = "No item takes more hops."
'''


class Faces(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for name in FOLDERS:
            shutil.copytree(ROOT / name, self.root / name)

    def run_tool(self, *arguments):
        said = io.StringIO()
        with redirect_stdout(said):
            status = make_faces.main([*arguments, str(self.root)])
        return status, said.getvalue()

    def text(self, path):
        return (self.root / path).read_text(encoding="utf-8")

    def add(self, text):
        path = self.root / make_faces.DESCRIPTION
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")

    def test_every_face_is_as_the_description_says(self):
        self.assertEqual(self.run_tool(), (0, ""))

    def test_a_face_that_differs_is_named(self):
        for path in (HEADER, "equipoise/capi/fortran/equipoise_calls.f90",
                     "python/equipoise/rank_plans.py"):
            place = self.root / path
            right = place.read_text(encoding="utf-8")
            place.write_text(right.replace("largest_at_least", "largest_at_most"),
                             encoding="utf-8")
            status, said = self.run_tool()
            self.assertEqual(status, 1)
            self.assertIn(f"{path}: not as equipoise/balancer/faces.toml says", said)
            place.write_text(right, encoding="utf-8")

    def test_a_new_figure_reaches_every_face_and_stands_last_in_c(self):
        self.add(FIGURE)
        self.assertEqual(self.run_tool()[0], 1)
        self.assertEqual(self.run_tool("--update")[0], 0)
        self.assertEqual(self.run_tool(), (0, ""))
        fields = re.search(r"typedef struct equipoise_report \{(.*?)\} equipoise_report;",
                           self.text(HEADER), re.S)[1]
        self.assertTrue(fields.rstrip().endswith("int64_t hops_most;"))
        for path, line in {
                "equipoise/balancer/options.hpp": "    Tokens hops_most = 0;",
                "equipoise/capi/fields.hpp": "    to.hops_most = from.hops_most;",
                "equipoise/capi/fortran/equipoise_calls.f90":
                    "        integer(c_int64_t) :: hops_most = 0",
                "equipoise/capi/fortran/equipoise_plans.F90":
                    "        integer(int64) :: hops_most = 0",
                "equipoise/capi/fortran/report_of.inc":
                    "        report%hops_most = found%hops_most",
                "python/mpi/fields.hpp":
                    '    dict["hops_most"] = as_python(report.hops_most);',
                "python/equipoise/rank_plans.py": "    hops_most: int"}.items():
            self.assertIn(line + "\n", self.text(path))
        for path in ("equipoise/balancer/options.hpp", HEADER, "python/equipoise/rank_plans.py",
                     "equipoise/capi/fortran/equipoise_plans.F90", "docs/reference/balancer.md"):
            self.assertIn("Hops of the item that took the most.", self.text(path))

    def test_a_new_option_reaches_every_face_and_stands_last_in_c(self):
        self.add(OPTION)
        self.assertEqual(self.run_tool("--update")[0], 0)
        fields = re.search(r"typedef struct equipoise_options \{(.*?)\} equipoise_options;",
                           self.text(HEADER), re.S)[1]
        self.assertTrue(fields.rstrip().endswith("int64_t hops_max;"))
        self.assertRegex(self.text(HEADER), r"OPTIONS_INIT[^}]*, 3\}")
        for path, line in {
                "equipoise/balancer/options.hpp": "    Tokens hops_max = 3;",
                "equipoise/capi/fields.hpp": "    options.hops_max = given.hops_max;",
                "equipoise/capi/fortran/options.inc":
                    "        integer, intent(in), optional :: hops_max",
                "equipoise/capi/fortran/take_options.inc":
                    "        if (present(hops_max)) options%hops_max = int(hops_max, c_int64_t)",
                "python/mpi/fields.hpp": "    options.hops_max = request.hops_max;"}.items():
            self.assertIn(line + "\n", self.text(path))
        alike = self.text("equipoise/balancer/alike.hpp")
        self.assertIn("    digest.add(static_cast<std::uint64_t>(options.hops_max));\n", alike)
        self.assertIn('", hops max " + std::to_string(options.hops_max);\n', alike)
        self.assertIn(", hops_max\n", self.text("equipoise/capi/fortran/option_names.inc"))
        self.assertEqual(len(re.findall(r"hops_max: int = 3(,\s+report: bool = False)?\) ->",
                                        self.text("python/equipoise/mpi.py"))), 3)

    def test_ranks_may_differ_only_in_options_that_say_so(self):
        self.add(OPTION + "alike = false\n")
        self.run_tool("--update")
        self.assertIn("Tokens hops_max = 3;", self.text("equipoise/balancer/options.hpp"))
        self.assertNotIn("hops_max", self.text("equipoise/balancer/alike.hpp"))
        self.add('''
[options.hops]
type = "reals"
by_hand = true
doc = "Hops of each item."
''')
        with self.assertRaisesRegex(SystemExit, "options.hops has a type that cannot be compared"):
            self.run_tool()

    def test_a_description_that_no_face_can_show_is_refused(self):
        for text in ('[report.hops]\ntype = "hops"\ndoc = "."',
                     '[options.word]\ntype = "word"\ndoc = "."',
                     '[options.spread]\ntype = "spread"\ndoc = "."'):
            shutil.copy(ROOT / make_faces.DESCRIPTION, self.root / make_faces.DESCRIPTION)
            self.add("\n" + text + "\n")
            with self.assertRaisesRegex(SystemExit, "faces.toml: "):
                self.run_tool()

    def test_a_file_that_lost_its_place_is_named(self):
        place = self.root / HEADER
        place.write_text(place.read_text(encoding="utf-8").replace(": report.", "."),
                         encoding="utf-8")
        with self.assertRaisesRegex(SystemExit, f"{HEADER}: expected a region report"):
            self.run_tool()


if __name__ == "__main__":
    unittest.main()
