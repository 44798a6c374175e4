"""The check of the house style finds every kind of violation, in small trees made for it."""

import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
import check_text  # noqa: E402

MAP = "# The map\n`base/` and `cli/` and `base/a.hpp`\n"


def violations(tree, text_of_map=MAP):
    """The complaints about a tree {path: text} that holds one used header already."""
    tree = {
        "ARCHITECTURE.md": text_of_map,
        "equipoise/base/a.hpp": "#pragma once\n",
        "equipoise/cli/main.cpp": '#include "equipoise/base/a.hpp"\n',
    } | tree
    with tempfile.TemporaryDirectory() as root:
        for name, text in tree.items():
            path = Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return check_text.check_tree(root)


class CheckText(unittest.TestCase):
    def assert_one(self, phrase, found):
        self.assertEqual(1, len(found), found)
        self.assertIn(phrase, found[0])

    def test_accepts_a_tidy_tree(self):
        self.assertEqual([], violations({}))

    def test_names_long_lines_long_files_and_trailing_blanks(self):
        self.assert_one("b.cpp:2: 101 characters",
                        violations({"equipoise/base/b.cpp": "\n//" + "x" * 99 + "\n"}))
        self.assert_one("601 lines", violations({"equipoise/base/b.cpp": "\n" * 601}))
        self.assert_one("blanks", violations({"equipoise/base/b.cpp": "int a; \n"}))

    def test_properties_are_checked_in_one_place(self):
        check = "#include <a>\nint a = rc::check([] {});\n"
        for other in (check, "#include <a>\nRC_GTEST_PROP(A, B, ()) {}\n"):
            self.assert_one("test::holds", violations({"tests/unit/base/a_test.cpp": other}))
        self.assertEqual([], violations({"tests/support/property.cpp": check}))

    def test_names_what_a_merge_left_in_code_and_documents(self):
        for name in ("equipoise/base/b.cpp", "docs/a.md"):
            found = violations(
                {name: "<" * 7 + " HEAD\na\n" + "=" * 7 + "\nb\n" + ">" * 7 + " c\n"})
            self.assertEqual(2, len(found), found)
            self.assertIn(f"{name}:1: two changes", found[0])

    def test_names_long_functions_but_not_long_classes(self):
        body = "    int i = 0;\n" * 70
        self.assert_one("b.cpp:2: this function has 72 lines", violations(
            {"equipoise/base/b.cpp": f"namespace a {{\nint f(int b) const {{\n{body}}}\n}}\n"}))
        self.assertEqual([], violations(
            {"equipoise/base/b.cpp": f"class A {{\n{body}    int f() {{ return 1; }}\n}};\n"}))

    def test_tables_make_no_function_long(self):
        table = "        {1},\n" * 70
        self.assertEqual([], violations({"equipoise/base/b.cpp":
                         f"auto f() {{\n    const auto a = {{\n{table}    }};\n}}\n"}))

    def test_names_the_replacement_of_every_banned_call(self):
        for call, instead in [
                ("std::rand()", "RandomStream"), ("std::mt19937 a", "RandomStream"),
                ("std::cout << 1", "InputError"), ("std::printf(1)", "InputError"),
                ("exit(1)", "EQUIPOISE_ASSERT"), ("std::abort()", "EQUIPOISE_ASSERT"),
                ("std::regex a", "Spec"), ("assert(1)", "EQUIPOISE_ASSERT"),
                ("std::stoi(a)", "from_chars"), ("std::ofstream a", "AtomicFile"),
                ("__int128 a", "Int128"), ("using namespace std", "std::")]:
            found = violations({"equipoise/base/b.cpp": f"{call};\n"})
            self.assert_one("b.cpp:1:", found)
            self.assertIn(instead, found[0])

    def test_comments_strings_and_members_are_no_calls(self):
        self.assertEqual([], violations({"equipoise/base/b.cpp":
                         '// exit(1)\n/* abort() */ auto a = "rand()"; b.exit(1\'000);\n'}))

    def test_the_program_prints_and_tests_use_what_they_like(self):
        self.assertEqual([], violations({"equipoise/cli/b.cpp": "std::cout << 1;\n",
                                         "tests/unit/b_test.cpp": "std::mt19937 a; printf(1);\n"}))
        self.assert_one("banned", violations({"equipoise/cli/b.cpp": "exit(1);\n"}))

    def test_names_unfinished_work(self):
        self.assert_one("unfinished", violations({"tests/b.cpp": "// " + "TO" + "DO later\n"}))

    def test_names_phrases_that_read_as_translated_also_across_lines(self):
        self.assert_one('b.cpp:1: "go and come": write come and go', violations(
            {"equipoise/base/b.cpp": "// Nodes go and\n// come.\n"}))
        self.assert_one("docs/a.md:2:", violations({"docs/a.md": "A\nis not to be had.\n"}))
        self.assertEqual([], violations({"equipoise/base/b.cpp": "// Nodes come and go.\n"}))

    def test_names_headers_that_only_their_own_source_includes(self):
        header = {"equipoise/base/b.hpp": "#pragma once\n"}
        own = {"equipoise/base/b.cpp": '#include "equipoise/base/b.hpp"\n'}
        other = {"tests/b_test.cpp": '#include "equipoise/base/b.hpp"\n'}
        self.assert_one("no other file includes", violations(header | own))
        self.assertEqual([], violations(header | own | other))

    def test_names_heavy_headers_in_headers(self):
        self.assert_one("heavy", violations(
            {"equipoise/base/a.hpp": "#pragma once\n#include <nlohmann/json.hpp>\n"}))
        self.assertEqual([], violations({"equipoise/base/b.cpp": "#include <fmt/core.h>\n"}))
        self.assertEqual([], violations({
            "equipoise/cli/a.hpp": "#pragma once\n#include <CLI/CLI.hpp>\n",
            "equipoise/cli/b.cpp": '#include "equipoise/cli/a.hpp"\n'}))

    def test_names_headers_without_pragma_once(self):
        self.assert_one("pragma once", violations({"equipoise/base/a.hpp": "int a;\n"}))

    def test_the_map_names_what_exists_and_all_folders(self):
        self.assert_one("there is no base/b.hpp", violations({}, MAP + "`base/b.hpp`\n"))
        self.assert_one("does not name equipoise/load/",
                        violations({"equipoise/load/b.cpp": "int a;\n"}))

    def test_tests_and_files_that_documents_name_exist(self):
        tree = {"tests/unit/a_test.cpp": "TEST(Room, SaysSo) {}\n",
                "docs/page.md": "`Room.SaysSo` is in `tests/unit/a_test.cpp`, not `Run.figures`\n"}
        self.assertEqual([], violations(tree))
        self.assert_one("there is no test Room.SaysNo", violations(
            tree | {"docs/other.md": "\n`Room.SaysNo`\n"}))
        self.assert_one("docs/other.md:2: there is no tests/unit/b_test.cpp", violations(
            tree | {"docs/other.md": "\n`tests/unit/b_test.cpp`\n"}))
        self.assertEqual([], violations(tree | {"docs/decisions/a.md": "`Room.SaysNo`\n"}))

    def test_decisions_have_no_gaps_but_those_that_the_index_explains(self):
        tree = {"docs/decisions/0001-a.md": "", "docs/decisions/0003-c.md": "",
                "docs/decisions/index.md": "# Decisions\n"}
        self.assert_one("there is no decision 0002", violations(tree))
        explained = {"docs/decisions/index.md": "Not used: 0002, which was set aside.\n"}
        self.assertEqual([], violations(tree | explained))
        used = {"docs/decisions/0002-b.md": ""}
        self.assert_one("said not to be used", violations(tree | explained | used))
        self.assertEqual([], violations(tree | used))
        self.assert_one("there are 2 decisions 0003",
                        violations(tree | used | {"docs/decisions/0003-d.md": ""}))

    def test_links_of_documents_lead_somewhere(self):
        self.assert_one("leads nowhere", violations({"docs/b.md": "[a](../README.md)\n"}))
        self.assertEqual([], violations({"docs/b.md": "[a](../ARCHITECTURE.md#rooms)\n"}))


if __name__ == "__main__":
    unittest.main()
