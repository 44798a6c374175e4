#!/usr/bin/env python3
"""What cannot be run here (Spack, hosted CI, a citation) is at least well formed, and names options
and files that exist."""
import ast
import os
import re
import sys
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    # Debian's Python has it.
    if sys.executable == "/usr/bin/python3" or not os.path.exists("/usr/bin/python3"):
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", __file__])

ROOT = Path(__file__).resolve().parents[2]


class Packaging(unittest.TestCase):
    def test_the_citation_is_a_citation(self):
        citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
        # What the schema of version 1.2.0 requires, here and in each reference.
        self.assertLessEqual({"cff-version", "message", "title", "authors"}, citation.keys())
        self.assertEqual(citation["cff-version"], "1.2.0")
        self.assertEqual([one["authors"][0]["family-names"] for one in citation["references"]],
                         ["Houle", "Margara", "Meyer auf der Heide", "Rabani", "Dinitz"])
        for one in citation["references"]:
            self.assertLessEqual({"type", "title", "authors", "year", "start", "end"}, one.keys())
            self.assertIn(one["type"], ("article", "conference-paper"))
            for author in one["authors"]:
                self.assertEqual(author.keys(), {"family-names", "given-names"})

    def test_spack_sets_options_that_exist(self):
        text = (ROOT / "packaging/spack/packages/equipoise/package.py").read_text()
        (recipe,) = [node for node in ast.parse(text).body if isinstance(node, ast.ClassDef)]
        self.assertEqual(recipe.name, "Equipoise")
        options = set()
        variants = set()
        used = set()
        for node in ast.walk(recipe):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                if name in ("define", "define_from_variant"):
                    options.add(node.args[0].value)
                if name == "define_from_variant":
                    used.add(node.args[1].value)
                if name == "variant":
                    variants.add(node.args[0].value)
        scripts = "".join(path.read_text() for path in
                          [ROOT / "CMakeLists.txt", *(ROOT / "cmake").glob("*.cmake")])
        known = set(re.findall(r"(?:option\(|set\(|find_file\()(EQUIPOISE_\w+)", scripts))
        self.assertGreater(len(options), 5)
        self.assertLessEqual(options, known)
        self.assertLessEqual(used, variants)

    def test_hosted_ci_calls_the_tests(self):
        workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
        (job,) = workflow["jobs"].values()
        commands = [step.get("run", "") for step in job["steps"]]
        self.assertTrue(any("./dev test" in command for command in commands))

    def test_the_container_file_copies_what_exists(self):
        lines = (ROOT / "packaging/Containerfile").read_text().splitlines()
        self.assertTrue(any(line.startswith("FROM debian:12") for line in lines))
        self.assertTrue(any("./dev package" in line for line in lines))

    def test_what_debian_builds_with_is_in_the_lists(self):
        control = (ROOT / "debian/control").read_text()
        wanted = re.search(r"^Build-Depends:\n((?: .*\n)+)", control, re.M)[1]
        wanted = set(re.findall(r"^ ([\w.+-]+)", wanted, re.M)) - {"debhelper-compat"}
        listed = set()
        for name in ("build", "package"):
            text = (ROOT / f"packages/{name}.txt").read_text()
            listed |= {line.split("#")[0].strip() for line in text.splitlines()}
        self.assertLessEqual(wanted, listed)
        self.assertIn("debhelper", listed)


if __name__ == "__main__":
    unittest.main()
