#!/usr/bin/env python3
"""All places name one version, and tools/version.py finds and mends one that does not."""
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = ["CMakeLists.txt", "CITATION.cff", "CHANGELOG.md", "setup.py", "pyproject.toml",
         "tools/version.py", "debian/changelog", "debian/control", "debian/rules",
         "packaging/spack/packages/equipoise/package.py"]


class Version(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        for name in FILES:
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.root / name)

    def tearDown(self):
        self.folder.cleanup()

    def run_tool(self, *arguments):
        return subprocess.run([sys.executable, self.root / "tools/version.py", *arguments],
                              capture_output=True, text=True, check=False)

    def test_all_places_agree(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_each_place_that_differs_is_named(self):
        for name in ("CITATION.cff", "debian/changelog",
                     "packaging/spack/packages/equipoise/package.py"):
            path = self.root / name
            text = path.read_text()
            version = self.run_tool().stdout.split()[1]
            path.write_text(text.replace(version, "77.0.1", 1))
            done = self.run_tool()
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"{name}: expected the version {version}, found 77.0.1", done.stdout)
            path.write_text(text)

    def test_a_new_version_is_set_everywhere_but_in_the_changelog(self):
        done = self.run_tool("1.7.3")
        self.assertIn("CHANGELOG.md: expected 1.7.3 as the latest version", done.stdout)
        changelog = self.root / "CHANGELOG.md"
        changelog.write_text(changelog.read_text().replace("\n## ", "\n## 1.7.3\n\n## ", 1))
        done = self.run_tool()
        self.assertEqual(done.stdout, "version 1.7.3 everywhere\n")

    def test_the_changelog_of_debian_keeps_its_earlier_entries(self):
        path = self.root / "debian/changelog"
        before = path.read_text()
        for version in ("1.7.3", "1.8.0"):
            self.run_tool(version)
            after = path.read_text()
            self.assertTrue(after.startswith(f"equipoise ({version}) unstable; "), after)
            self.assertTrue(after.endswith("\n\n" + before), after)
            self.assertEqual(after.count("\n -- "), before.count("\n -- ") + 1)
            before = after
        self.run_tool("1.8.0")
        self.assertEqual(path.read_text().count("equipoise ("), before.count("equipoise ("))

    def test_a_new_first_number_asks_for_new_libraries(self):
        done = self.run_tool("99.0.0")
        self.assertIn("expected EQUIPOISE_SOVERSION 99 or more", done.stdout)

    def test_what_is_no_version_changes_nothing(self):
        before = (self.root / "CMakeLists.txt").read_text()
        for odd in ("1.0", "v1.0.0", "1.0.0-rc1", "01.0.0"):
            self.assertEqual(self.run_tool(odd).returncode, 1)
        self.assertEqual((self.root / "CMakeLists.txt").read_text(), before)


if __name__ == "__main__":
    unittest.main()
