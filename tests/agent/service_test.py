#!/usr/bin/env python3
"""The unit of systemd for agents, as systemd itself reads it.

usage: service_test.py --program PROGRAM
"""

import argparse
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

UNIT = (pathlib.Path(__file__).resolve().parents[2] / "packaging" / "systemd"
        / "equipoise-agent@.service")


class ServiceTest(unittest.TestCase):
    program = ""

    def verify(self, text):
        """What systemd says of a unit for the site new-york."""
        with tempfile.TemporaryDirectory() as folder:
            unit = pathlib.Path(folder) / "equipoise-agent@new-york.service"
            unit.write_text(text, encoding="utf-8")
            done = subprocess.run(["systemd-analyze", "verify", "--man=no", str(unit)],
                                  capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def unit(self):
        """With the program that was built in place of an installed one."""
        text = UNIT.read_text(encoding="utf-8")
        self.assertIn("ExecStart=/usr/bin/equipoise ", text)
        return text.replace("/usr/bin/equipoise", self.program)

    def test_systemd_finds_no_fault_in_the_unit(self):
        self.assertEqual(self.verify(self.unit()), (0, ""))

    def test_systemd_finds_faults_in_others(self):
        status, said = self.verify(self.unit().replace("RestartSec", "RestartSecond"))
        self.assertIn("RestartSecond", said, status)

    def test_the_options_are_those_of_the_program_and_dashes_in_names_stay(self):
        command = re.search(r"^ExecStart=((?:.*\\\n)*.*)$", self.unit(), re.MULTILINE).group(1)
        words = shlex.split(command.replace("\\\n", " "))
        self.assertEqual(words[words.index("--name") + 1], "%i")  # %I would read - as /
        done = subprocess.run([self.program, "agent", "--help"], capture_output=True, text=True,
                              check=True)
        for option in (word for word in words if word.startswith("--")):
            self.assertIn(f"{option} ", done.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="the program equipoise")
    options, rest = parser.parse_known_args()
    ServiceTest.program = str(pathlib.Path(options.program).resolve())
    if shutil.which("systemd-analyze") is None:
        print("skipped: expected systemd-analyze, found none")
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + rest)
