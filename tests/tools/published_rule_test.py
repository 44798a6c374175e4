"""Tests benchmarks/experts/published_rule.py: small cases by hand, and the published figures on the
measured loads where these are there."""

import os
import sys
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path.insert(0, os.path.join(ROOT, "benchmarks/experts"))
import published_rule as rule  # noqa: E402

DATA = os.path.join(ROOT, "../shared/data/experts")


class PublishedRuleTest(unittest.TestCase):
    def test_each_further_copy_goes_to_what_carries_most_a_copy(self):
        which, copies = rule.with_copies([9, 8, 1], 6)
        self.assertEqual(copies, [3, 2, 1])
        self.assertEqual(which, [0, 1, 2, 0, 1, 0])

    def test_packing_takes_the_heaviest_first_onto_the_lightest_with_room(self):
        self.assertEqual(rule.pack([1, 9, 5, 4], 2), [[1, 0], [2, 3]])
        self.assertEqual(rule.pack([9, 1, 1, 1], 2), [[0, 3], [1, 2]])

    def test_groups_stay_on_one_host(self):
        loads = [8, 7, 1, 1, 1, 1, 5, 4]
        placement = rule.place(loads, gpus=4, slots=3, groups=4, hosts=2)
        hosts = [set(placement[:6]), set(placement[6:])]
        self.assertFalse(hosts[0] & hosts[1])
        for group in range(4):
            self.assertTrue(any({2 * group, 2 * group + 1} <= host for host in hosts))

    def test_levels_and_copies_are_counted(self):
        placement = [0, 1, 0, 0]
        self.assertEqual(rule.level([6, 2], placement, 2), 1)
        self.assertEqual(rule.twice(placement, 2), 1)
        self.assertEqual(rule.copied([0, 1, 0, 1], [1, 0, 0, 0], 2), 0)
        self.assertEqual(rule.copied([0, 0, 1, 1], [1, 0, 1, 0], 2), 2)

    @unittest.skipUnless(os.path.isdir(DATA), "../shared/data/experts is not there")
    def test_it_gives_the_published_figures_on_the_measured_loads(self):
        now, later = (rule.read_loads(os.path.join(DATA, name + ".json"))
                      for name in ("decode_in1000out1000", "decode_in2000out100"))
        layers = [i for i, loads in enumerate(now) if any(loads)]
        self.assertEqual(len(layers), 58)

        def mean(values):
            return sum(values) / len(layers)

        single = rule.trivial(256, 256)
        self.assertEqual(f"{mean(rule.level(now[i], single, 32) for i in layers):.2f}", "2.88")
        for groups, hosts, level, kept, copied, twice in [(1, 1, "1.007", "1.259", 96, 23),
                                                          (8, 4, "1.317", "1.468", 90, 74)]:
            with self.subTest(groups=groups):
                before = {i: rule.place(now[i], 32, 9, groups, hosts) for i in layers}
                after = {i: rule.place(later[i], 32, 9, groups, hosts) for i in layers}
                self.assertEqual(f"{mean(rule.level(now[i], before[i], 32) for i in layers):.3f}",
                                 level)
                self.assertEqual(f"{mean(rule.level(later[i], before[i], 32) for i in layers):.3f}",
                                 kept)
                again = mean(rule.copied(before[i], after[i], 32) for i in layers)
                self.assertEqual(round(100 * again / 288), copied)
                self.assertEqual(sum(rule.twice(before[i], 32) for i in layers), twice)


if __name__ == "__main__":
    unittest.main()
