"""The limits that pages name are those of the program, constant by constant."""

import re
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# (page, its words with N for the number, source below equipoise/, name of the constant)
LIMITS = [
    ("docs/how-to/plan.md", "From N nodes on (without capacities", "optimum/plan.hpp",
     "large_from"),
    ("docs/how-to/plan.md", "Written are at most N moves,", "optimum/schedule.hpp",
     "moves_written_max"),
    ("docs/how-to/plan.md", "(about N bytes a link and", "optimum/steps/fewest_steps.cpp",
     "bytes_per_link"),
    ("docs/how-to/plan.md", "bytes a link and N a node;", "optimum/steps/fewest_steps.cpp",
     "bytes_per_node"),
    ("docs/how-to/plan.md", "except with `--ports all`, N a link",
     "optimum/steps/static_bound.cpp", "bytes_per_link"),
    ("docs/how-to/plan.md", "a link and N a node);", "optimum/steps/static_bound.cpp",
     "bytes_per_node"),
    ("docs/how-to/plan.md", "`--in-flight` needs N bytes a link", "optimum/plan.cpp",
     "bytes_per_link"),
    ("docs/how-to/plan.md", "not searched for from N nodes on", "optimum/plan.hpp", "large_from"),
    ("docs/decisions/0060-one-planner.md", "From N nodes on moves", "optimum/plan.hpp",
     "large_from"),
    ("docs/decisions/0062-agents.md", "seem to hold, but at most N in a row",
     "agent/own_stream.cpp", "lost_max"),
    ("docs/reference/json.md", "none was found or there are more than N, or",
     "optimum/schedule.hpp", "moves_written_max"),
    ("docs/reference/json.md", "as a rule; absent if there are more than N.",
     "report/answers/plan.cpp", "windows_listed_max"),
    ("docs/reference/json.md", "not connected or have more than N nodes",
     "analysis/meeting_graph.hpp", "nodes_max"),
    ("docs/reference/balancer.md", "if cuts have at most N places",
     "placement/in_order/shared_cuts.hpp", "cells_max"),
    ("docs/how-to/balancer.md", "all cuts together have more than N places",
     "placement/in_order/shared_cuts.hpp", "cells_max"),
    ("docs/how-to/balancer.md", "If more than N items, and more than",
     "placement/few_moves/shared_plan.cpp", "few_least"),
    ("docs/how-to/balancer.md", "and more than N a rank, may",
     "placement/few_moves/shared_plan.cpp", "few_a_rank"),
    ("docs/how-to/ranks.md", "With fewer than N nodes a rank", "catalogue/runner/run.hpp",
     "nodes_a_rank_least"),
    ("docs/how-to/ranks.md", "messages arrived, up to N events", "catalogue/runner/playing.hpp",
     "deliveries_recorded_max"),
    ("docs/how-to/faults.md", "without faults hold up to N deliveries",
     "catalogue/runner/playing.hpp", "deliveries_recorded_max"),
    ("docs/how-to/page.md", "without faults hold up to N deliveries",
     "catalogue/runner/playing.hpp", "deliveries_recorded_max"),
    ("docs/how-to/changing-worlds.md", "The network must be `complete:n=N` of at most N nodes",
     "model/run/sorted_path.hpp", "nodes_max"),
    ("docs/how-to/reassign.md", "Up to N items,", "reassign/input/tables.hpp", "items_max"),
    ("docs/how-to/reassign.md", "At most N items.", "load/items.cpp", "items_max"),
    ("docs/how-to/reassign.md", "items, N machines and", "reassign/input/tables.hpp",
     "machines_max"),
    ("docs/how-to/reassign.md", "machines and N amounts;", "reassign/input/tables.hpp",
     "amounts_max"),
    ("docs/how-to/reassign.md", "judges at most N such moves", "reassign/checks/waits.hpp",
     "checked_waits_most"),
    ("docs/how-to/reassign.md", "rule counts at most N orders", "reassign/checks/waits_rules.cpp",
     "moments_most"),
    ("docs/how-to/trace.md", "are there (at most N in a file)", "trace/content.hpp",
     "identical_most"),
    ("docs/how-to/formats.md", "may have at most N nodes, plus", "network/io/raw_network.hpp",
     "nodes_free"),
    ("docs/how-to/formats.md", "nodes, plus N per entry", "network/io/raw_network.hpp",
     "nodes_a_link"),
    ("docs/how-to/page.md", "network of up to N nodes by pivot", "report/pictures/layout.hpp",
     "drawn_nodes_max"),
    ("docs/how-to/page.md", "more than N are not drawn", "report/page/page_data.cpp",
     "links_drawn_max"),
    ("docs/how-to/page.md", "nor more than N between clusters", "report/page/page_data.cpp",
     "cluster_links_drawn_max"),
    ("docs/how-to/page.md", "together hold at most N transfers", "report/page/page_data.cpp",
     "events_max"),
    ("docs/how-to/page.md", "transfers and N messages", "report/page/page_data.cpp",
     "messages_max"),
    ("docs/how-to/page.md", "every transfer on networks of up to N nodes",
     "catalogue/runner/request.cpp", "transfers_shown_nodes_max"),
    ("docs/how-to/analyze.md", "maximum flow, up to N links", "catalogue/studies/analyze.cpp",
     "links_max"),
    ("docs/how-to/analyze.md", "other meshes of up to N nodes", "catalogue/studies/analyze.cpp",
     "nodes_max"),
    ("docs/how-to/analyze.md", "all eigenvalues up to N nodes; beyond, iterated solves",
     "analysis/spectrum.hpp", "dense_nodes_max"),
    ("docs/algorithms/chebyshev.md", "a dense solver up to N nodes",
     "analysis/laplacian_spectrum.hpp", "laplacian_nodes_max"),
    ("docs/algorithms/chebyshev.md", "networks of more than N links the smallest",
     "analysis/laplacian_spectrum.cpp", "links_max"),
    ("docs/algorithms/diffusion-2.md", "networks of more than N links the eigenvalue",
     "catalogue/registry/convergence.hpp", "links_max"),
    ("docs/algorithms/optimal-polynomial.md", "Networks of more than N nodes must be",
     "analysis/laplacian_spectrum.hpp", "laplacian_nodes_max"),
    ("docs/algorithms/randomised-rounding.md", "is not computed (more than N links",
     "catalogue/registry/convergence.hpp", "links_max"),
]


def named(page, words):
    """The number that stands for the last N in these words."""
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    before, after = (re.escape(part) for part in words.rsplit("N ", 1)) \
        if "N " in words else (re.escape(part) for part in words.rsplit("N", 1))
    gap = " " if "N " in words else ""
    found = re.findall(before + r"([0-9][0-9,]*[0-9]|[0-9])" + gap + after, text)
    return {int(number.replace(",", "")) for number in found}


def value(source, constant):
    """What a constant, or a member's default, is: digits, or one number shifted by another."""
    text = (ROOT / "equipoise" / source).read_text(encoding="utf-8")
    found = re.findall(rf"(?<![.\w]){constant} = ([^;]+);", text)
    numbers = set()
    for expression in found:
        plain = re.sub(r"std::\w+\{(\d+)\}|NodeId\{(\d+)\}", r"\1\2", expression).replace("'", "")
        parts = [int(part.strip().rstrip("UL")) for part in plain.split("<<")]
        numbers.add(parts[0] << parts[1] if len(parts) == 2 else parts[0])
    return numbers


class Limits(unittest.TestCase):
    def test_pages_name_the_limits_of_the_program(self):
        for page, words, source, constant in LIMITS:
            with self.subTest(page=page, words=words):
                said = named(page, words)
                self.assertEqual(1, len(said), f"{page}: expected \"{words}\", with a number")
                self.assertEqual(said, value(source, constant), f"{source}: {constant}")


if __name__ == "__main__":
    unittest.main()
