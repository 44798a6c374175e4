"""tools/build_times.py on a log written by hand."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

TOOL = Path(__file__).resolve().parents[2] / "tools" / "build_times.py"
OBJECT = "equipoise/CMakeFiles/equipoise_base.dir/base/spec.cpp.o"
UNIT = "tests/CMakeFiles/unit_base.dir/Unity/unity_0_cxx.cxx"


class BuildTimes(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def make(self, *outputs):
        for output in outputs:
            path = self.folder / output
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("")

    def log(self, *lines):
        text = "# ninja log v5\n" + "".join("\t".join(line) + "\n" for line in lines)
        (self.folder / ".ninja_log").write_text(text)

    def report(self):
        return subprocess.run([sys.executable, TOOL, self.folder], capture_output=True, text=True)

    def test_the_last_run_of_a_step_counts(self):
        self.make(OBJECT)
        self.log(("0", "9000", "1", OBJECT, "a"), ("0", "2500", "2", OBJECT, "a"))
        text = self.report().stdout
        self.assertIn("2.5 s in 1 steps", text)
        self.assertIn("equipoise_base: base/spec.cpp", text)

    def test_a_step_with_two_outputs_counts_once_and_lost_outputs_do_not(self):
        self.make("one.cmake", "two.cmake")
        self.log(("0", "1000", "1", "one.cmake", "a"), ("0", "1000", "1", "two.cmake", "a"),
                 ("0", "7000", "1", "gone.o", "b"))
        self.assertIn("1.0 s in 1 steps", self.report().stdout)

    def test_units_are_named_by_their_files(self):
        self.make(UNIT + ".o")
        included = ["/a/spec_test.cpp", "/a/json_test.cpp"]
        (self.folder / UNIT).write_text("".join(f'#include "{name}"\n' for name in included))
        self.log(("0", "4000", "1", UNIT + ".o", "a"))
        self.assertIn("unit_base: spec_test.cpp and 1 more", self.report().stdout)

    def test_a_folder_without_a_log_is_refused(self):
        result = self.report()
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("expected a build folder", result.stderr)


if __name__ == "__main__":
    unittest.main()
