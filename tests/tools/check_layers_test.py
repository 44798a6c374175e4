"""The layering check finds every kind of violation, in small trees made for it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_layers  # noqa: E402


def violations(tree):
    """The complaints about a tree given as {path below equipoise/: included names}."""
    with tempfile.TemporaryDirectory() as root:
        for name, included in tree.items():
            path = Path(root) / "equipoise" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("#pragma once\n" + "".join(f"#include {what}\n" for what in included))
        return check_layers.check_tree(root)


def ours(name):
    return f'"equipoise/{name}"'


class CheckLayers(unittest.TestCase):
    def test_accepts_includes_of_lower_floors_and_of_the_own_room(self):
        self.assertEqual([], violations({
            "base/ids.hpp": ["<vector>"],
            "network/network.hpp": [ours("base/ids.hpp")],
            "network/grid.hpp": [ours("network/network.hpp")],
            "catalogue/runner/run.hpp": [ours("network/grid.hpp")],
            "mpi/halo.cpp": ["<mpi.h>", ours("network/grid.hpp")],
        }))

    def test_names_file_line_and_chain_of_an_include_upwards(self):
        self.assertEqual(
            ["equipoise/base/ids.hpp:3: base (floor 0) includes upwards: load (floor 2): "
             "equipoise/base/ids.hpp -> equipoise/load/loads.hpp"],
            violations({
                "base/ids.hpp": ["<vector>", ours("load/loads.hpp")],
                "load/loads.hpp": [],
            }))

    def test_rooms_of_one_floor_are_strangers(self):
        for room, other in [("engine", "verify"), ("network", "model/local"), ("cli", "balancer")]:
            found = violations({f"{room}/a.hpp": [ours(f"{other}/b.hpp")], f"{other}/b.hpp": []})
            self.assertEqual(1, len(found))
            self.assertIn("strangers", found[0])

    def test_follows_includes_of_algorithms_through_innocent_headers(self):
        found = violations({
            "network/network.hpp": [],
            "model/local/edge_rule.hpp": [ours("network/network.hpp")],
            "protocols/threshold.hpp": [ours("model/local/edge_rule.hpp")],
        })
        self.assertEqual(2, len(found))
        self.assertEqual(
            "equipoise/protocols/threshold.hpp:2: protocols sees only base and model/local, found "
            "network: equipoise/protocols/threshold.hpp -> equipoise/model/local/edge_rule.hpp -> "
            "equipoise/network/network.hpp", found[1])

    def test_algorithms_see_no_lower_room_but_base_and_model_local(self):
        for room in ("network", "theory", "load", "model/run"):
            found = violations({"programs/a.hpp": [ours(f"{room}/b.hpp")], f"{room}/b.hpp": []})
            self.assertEqual(1, len(found), room)

    def test_mpi_stays_in_its_rooms_even_through_other_headers(self):
        self.assertEqual(1, len(violations({"engine/a.cpp": ["<mpi.h>"]})))
        self.assertEqual([], violations({"balancer/a.cpp": ["<mpi.h>"]}))
        found = violations({"mpi/a.hpp": ["<mpi.h>"], "cli/b.cpp": [ours("mpi/a.hpp")]})
        self.assertEqual(1, len(found))
        self.assertIn("cli/b.cpp -> equipoise/mpi/a.hpp -> mpi.h", found[0])

    def test_angle_brackets_hide_nothing(self):
        self.assertEqual(1, len(violations({
            "base/ids.hpp": ["<equipoise/load/loads.hpp>"],
            "load/loads.hpp": [],
        })))

    def test_complains_of_missing_files_relative_paths_and_unknown_rooms(self):
        self.assertIn("there is no file", violations({"base/a.hpp": [ours("base/b.hpp")]})[0])
        self.assertIn("start at the root", violations({"base/a.hpp": ['"b.hpp"']})[0])
        self.assertIn("belongs to no room", violations({"attic/a.hpp": []})[0])

    def test_the_folders_of_the_catalogue_are_storeys(self):
        self.assertEqual([], violations({
            "catalogue/registry/a.hpp": [],
            "catalogue/runner/a.hpp": [ours("catalogue/registry/a.hpp")],
            "catalogue/studies/a.hpp": [ours("catalogue/runner/a.hpp")],
        }))
        found = violations({
            "catalogue/registry/entries/a.cpp": [ours("catalogue/registry/common/b.hpp")],
            "catalogue/registry/common/b.hpp": [ours("catalogue/runner/a.hpp")],
            "catalogue/runner/a.hpp": [],
        })
        self.assertEqual(2, len(found))
        self.assertEqual(
            "equipoise/catalogue/registry/common/b.hpp:2: catalogue/registry includes "
            "catalogue/runner, which stands on it: equipoise/catalogue/registry/common/b.hpp -> "
            "equipoise/catalogue/runner/a.hpp", found[0])
        self.assertIn("are in its folders: registry, runner, studies",
                      violations({"catalogue/a.hpp": []})[0])

    def test_files_beside_storeys_are_a_storey_of_their_own(self):
        self.assertEqual([], violations({
            "optimum/problem.hpp": [],
            "optimum/steps/a.hpp": [ours("optimum/problem.hpp")],
            "optimum/plan.hpp": [ours("optimum/steps/a.hpp")],
            "optimum/windows/a.hpp": [ours("optimum/plan.hpp")],
        }))
        found = violations({
            "optimum/problem.hpp": [ours("optimum/steps/a.hpp")],
            "optimum/steps/a.hpp": [ours("optimum/plan.hpp")],
            "optimum/plan.hpp": [],
        })
        self.assertEqual(3, len(found))
        self.assertIn("optimum/. includes optimum/steps, which stands on it", found[0])

    def test_an_empty_tree_does_not_pass(self):
        self.assertEqual(1, len(violations({})))

    def test_commented_includes_do_not_count_and_cycles_end(self):
        self.assertEqual([], violations({
            "base/a.hpp": [ours("base/b.hpp"), "<vector>\n/* so\n#include <mpi.h>\n*/",
                           "<span>\n// #include <mpi.h>"],
            "base/b.hpp": [ours("base/a.hpp")],
        }))


if __name__ == "__main__":
    unittest.main()
