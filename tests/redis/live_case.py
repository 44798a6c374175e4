"""What the tests on clusters that run share: the program, and what is expected of it."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from live_cluster import die_with_parent

TIMEOUT = 120  # seconds that one run of the program may take


class LiveCase(unittest.TestCase):
    """Tests with the program on clusters of its own."""

    options = None

    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def start(self, cluster, *words, proxy=None, **environment):
        """Starts `reassign` on a cluster, or through a proxy."""
        first = cluster.servers[0]
        url = f"redis://{proxy.name_of(first) if proxy else first.name}"
        held = {name: value for name, value in os.environ.items() if name != "REDISCLI_AUTH"}
        return subprocess.Popen([self.options.program, "reassign", url, *words],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env={**held, **environment}, preexec_fn=die_with_parent)

    def run_program(self, cluster, *words, proxy=None, **environment):
        """(exit status, standard output, standard error)"""
        with self.start(cluster, *words, proxy=proxy, **environment) as process:
            try:
                output, errors = process.communicate(timeout=TIMEOUT)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        if proxy and proxy.failures:
            raise proxy.failures[0]
        return process.returncode, output, errors

    def execute(self, cluster, *words, status=0, proxy=None, **environment):
        """Carries a plan out, which ends with this status. Returns all that was printed."""
        found, output, errors = self.run_program(cluster, "--execute", *words, proxy=proxy,
                                                 **environment)
        self.assertEqual(found, status, f"{words}\n{output}{errors}")
        return output + errors

    def execute_until_cut(self, cluster, *words, proxy):
        """Carries a plan out until the proxy cuts the program off, which is then killed."""
        with self.start(cluster, "--execute", *words, proxy=proxy) as process:
            while process.poll() is None and not proxy.has_been_cut.wait(0.01):
                pass
            process.kill()
            output, errors = process.communicate()
        self.assertTrue(proxy.has_been_cut.is_set(), f"it ended before\n{output}{errors}")

    def expect_refusal(self, cluster, words, *options, proxy=None, **environment):
        """It ends with status 2 and one line that holds these words."""
        status, output, errors = self.run_program(cluster, "--execute", *options, proxy=proxy,
                                                  **environment)
        self.assertEqual((status, output), (2, ""), errors)
        self.assertEqual(len(errors.splitlines()), 1, errors)
        self.assertIn(words, errors)

    def places(self, moves, proxy=None):
        """The option that has slots end on servers."""
        file = self.folder / "places.csv"
        file.write_text("item,machine\n" + "".join(
            f"{slot},{proxy.name_of(server) if proxy else server.name}\n"
            for slot, server in moves.items()), encoding="utf-8")
        return "--target", f"places:{file}"

    def expect_nothing_wrong(self, report, where=""):
        self.assertEqual(report["complaints"], [], where)

    def expect_places(self, cluster, moves):
        owners = cluster.owners()
        self.assertEqual({slot: owners[slot].name for slot in moves},
                         {slot: server.name for slot, server in moves.items()})

    @classmethod
    def main(cls, description, add_arguments=None):
        """Exit status 77 where there is nothing to test with."""
        parser = argparse.ArgumentParser(description=description.splitlines()[0])
        parser.add_argument("--program", required=True, help="the program equipoise")
        if add_arguments:
            add_arguments(parser)
        cls.options, rest = parser.parse_known_args()
        cls.options.program = os.path.abspath(cls.options.program)
        for needed in ("redis-server", "redis-cli"):
            if shutil.which(needed) is None:
                print(f"skipped: expected {needed}, found none")
                sys.exit(77)
        doctor = subprocess.run([cls.options.program, "doctor", "--json"], capture_output=True,
                                text=True, check=True).stdout
        if not json.loads(doctor)["hiredis"]:
            print("skipped: expected a program with hiredis, found one without it")
            sys.exit(77)
        if hasattr(cls.options, "seed"):
            print(f"--seed {cls.options.seed} draws the same again", flush=True)
        unittest.main(argv=sys.argv[:1] + rest)
