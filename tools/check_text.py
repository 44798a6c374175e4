#!/usr/bin/env python3
"""Checks the house style that no compiler checks.

usage: check_text.py [ROOT]

Line, function and file length; calls that are banned, with what to use in their place; phrases that
read as translated; marks of unfinished work and of merges; headers that nobody includes; heavy
headers included by headers; gaps in the numbers of decisions that their index does not explain; and
that ARCHITECTURE.md, the relative links of all documents and the tests and files that they name
agree with the tree.
"""

import re
import sys
from pathlib import Path

from check_layers import room_of
from includes import IncludeGraph

LINE_LENGTH_MAX = 100
FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 600

CODE_FOLDERS = ("equipoise", "python", "tests", "benchmarks", "examples", "tools", "cmake")
CPP = {".hpp", ".cpp"}
C = {".c", ".h"}
TEXT = CPP | C | {".f90", ".F90", ".inc", ".py", ".sh", ".cmake", ".txt", ".in"}
PROGRAM_ROOMS = {"cli", "python"}

# (pattern, where it is allowed, what to use in its place); "program" stands for the rooms that talk
# to a person, "tests" for everything outside the library.
BANNED = [
    (r"\bs?rand\s*\(|\brandom_device\b", set(), "RandomStream of equipoise/base/random.hpp"),
    (r"\bmt19937|\bdefault_random_engine\b", {"tests"},
     "RandomStream of equipoise/base/random.hpp"),
    (r"\bstd::c(out|err|log)\b|(?<![\w.>])(std::)?((f|v|vf)?printf|f?puts)\s*\(",
     {"program", "tests", "equipoise/base/assert.cpp"}, "a return value or InputError"),
    (r"(?<![\w.>])(std::)?(exit|quick_exit|abort|terminate)\s*\(",
     {"equipoise/base/assert.cpp"}, "InputError, or EQUIPOISE_ASSERT for a programmer's error"),
    # A program's signal handler has no other way out.
    (r"(?<![\w.>])(std::)?(_exit|_Exit)\s*\(", {"program"}, "a stop token"),
    (r"\bstd::(basic_)?regex\b", set(), "Spec of equipoise/base/spec.hpp or a small parser"),
    (r"(?<![\w.>])assert\s*\(", {"tests"}, "EQUIPOISE_ASSERT of equipoise/base/assert.hpp"),
    (r"(?<![\w.>])(std::)?(ato[ifl]l?|strto[a-z]+|sto(i|l|ll|ul|ull|f|d|ld))\s*\(", {"tests"},
     "std::from_chars, which checks and knows no locale"),
    (r"\bstd::ofstream\b", {"tests", "equipoise/catalogue/studies/sweep.cpp"},
     "AtomicFile of equipoise/base/atomic_file.hpp"),
    # Its seed would be a new one in every run, and its answer is easily dropped.
    (r"\brc::check\s*\(|\bRC_GTEST_\w+|rapidcheck/gtest\.h", {"tests/support/property.cpp"},
     "EXPECT_TRUE(test::holds(...)) of tests/support/property.hpp"),
    (r"\b__u?int128(_t)?\b", {"equipoise/base/tokens.hpp"}, "Int128 of equipoise/base/tokens.hpp"),
    (r"\busing\s+namespace\s+std\b", set(), "names with std::"),
]
# (phrase that reads as translated, what to write in its place), in comments, messages and pages.
ODD_PHRASES = [
    (r"go(es)? and comes?", "come and go"),
    (r"nowhere whole|whole (nowhere|anywhere)", "that no rank holds whole"),
    (r"to be had", "available, or a verb"),
    (r"(lose|lost|loses), doubled?|(lose|lost|loses) (and|or) doubled?", "duplicate"),
    (r"doubled? (and|or) reorder(ed)?", "duplicate"),
    (r"but for (the|one|those|its|looks|depth)", "except for"),
    (r"/// Answers", "Returns"),
    (r"of whose|for who", "a sentence of its own"),
    (r"who (sleeps|waits|is to) ", "a rank, thread or node that ..."),
    (r"(after|of|takes|checks|1 to|least) so many", "this many, or the number's name"),
    (r"(as|so) many as there (be|are) of", "the number"),
    (r"hands? in (the same|different|null)", "pass"),
    (r"if need be", "if necessary"),
    (r"so many \w+ (at most|back|hold)", "at most this many"),
    (r"as (well|level) moves? as many", "at least this many"),
    (r"nobody (has found out|knows)", "it is not known"),
    (r"what (it is|is) (not|none) throws", "what exactly is refused"),
    (r"(is|are) told of", "is told about, or reports"),
    (r"with commas between them", "separated by commas"),
    (r"(is|are) of another (run|program)", "belongs to another"),
    (r"held by nobody", "held by no node"),
    (r"another one in every", "changes in every"),
    (r"(has|have|holds?) (tokens|items) too many", "too many tokens, or a surplus"),
]
# Tests, and folders whose files documents name from the root.
TEST_NAME = re.compile(r"^TEST(?:_[FP])?\((\w+),\s*(\w+)\)", re.M)
NAMED_FOLDERS = ("tests/", "tools/", "models/", "equipoise/", "scenarios/", "schemas/")
UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
# What a merge leaves where two changes met.
CONFLICT = re.compile(r"^(<{7}|>{7}) ", re.M)
HEAVY_HEADER = re.compile(
    r"^(iostream|regex|nlohmann/json\.hpp|fmt/.*|CLI/.*|rapidcheck.*|lemon/.*)$")

# Comments and literals; block comments and raw strings may span lines.
QUIET = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|'
                   r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)


def without_comments_and_literals(text):
    """The code alone, every character and line in its place. Digit separators stay."""
    def blank(found):
        start = found.start()
        if found.group()[0] == "'" and start and text[start - 1].isalnum():
            return found.group()
        return re.sub(r"[^\n]", " ", found.group())
    return QUIET.sub(blank, text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def long_functions(code):
    """(line, lines) of every function body that is too long. A body is a brace that follows a
    parameter list, outside any other body; classes and namespaces are looked into. Lines of tables,
    which are braces after an equals sign, do not count."""
    found = []
    opened = []  # [position, is a body, lines of tables inside] of every open brace
    for brace in re.finditer(r"[{}]", code):
        position = brace.start()
        if brace.group() == "{":
            head = re.split(r"[;{}]", code[:position][-2000:])[-1]
            container = re.search(r"\b(namespace|class|struct|union|enum|extern)\b", head) and \
                not re.search(r"\)\s*(const|noexcept|override|final|mutable|\s)*(->.*)?$", head)
            opened.append([position, "(" in head and not container, 0])
        elif opened:
            start, body, table_lines = opened.pop()
            lines = code.count("\n", start, position) + 1
            if opened:
                is_table = code[:start].rstrip().endswith("=")
                opened[-1][2] += lines if is_table else table_lines
            outermost = not any(outer for _, outer, _ in opened)
            if body and outermost and lines - table_lines > FUNCTION_LINES_MAX:
                found.append((line_of(code, start), lines - table_lines))
    return found


def allowed(name, places):
    outside_library = not name.startswith(("equipoise/", "python/"))
    return (name in places or ("tests" in places and outside_library)
            or ("program" in places and not outside_library and room_of(name) in PROGRAM_ROOMS))


def check_cpp(name, text):
    """Violations of one C++ file."""
    code = without_comments_and_literals(text)
    found = []
    for line, lines in long_functions(code):
        found.append(f"{name}:{line}: this function has {lines} lines, more than "
                     f"{FUNCTION_LINES_MAX}: split it along its meaning")
    for pattern, places, instead in BANNED:
        if allowed(name, places):
            continue
        for call in re.finditer(pattern, code):
            found.append(f'{name}:{line_of(code, call.start())}: '
                         f'"{call.group().rstrip("( ")}" is banned; use {instead}')
    if name.endswith(".hpp") and not text.startswith("#pragma once\n"):
        found.append(f"{name}:1: a header begins with #pragma once")
    return found


def check_lines(name, text):
    """Violations that any text file can have."""
    found = []
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_LENGTH_MAX and "http" not in line:
            found.append(f"{name}:{number}: {len(line)} characters, more than {LINE_LENGTH_MAX}")
        if UNFINISHED.search(line) and name != "tools/check_text.py":
            found.append(f"{name}:{number}: unfinished work: {line.strip()}")
        if line != line.rstrip():
            found.append(f"{name}:{number}: blanks at the end of the line")
    if len(lines) - 1 > FILE_LINES_MAX:
        found.append(f"{name}:1: {len(lines) - 1} lines, more than {FILE_LINES_MAX}: "
                     "split it along its meaning")
    return found


def odd_patterns():
    """Of each odd phrase: what finds it, and perhaps more, fast in lower-case text; what finds it
    exactly; what to write in its place."""
    for pattern, instead in ODD_PHRASES:
        spaced = pattern.replace(" ", r"\s+")
        yield (re.compile(spaced.lower()),
               re.compile(rf"(?<!\w)(?:{spaced})(?!\w)", re.IGNORECASE), instead)


ODD_PATTERNS = list(odd_patterns())


def odd_phrases(name, text):
    """Phrases that read as translated; comments and pages may break their lines anywhere."""
    if name in ("CONTRIBUTING.md", "tools/check_text.py", "tests/tools/check_text_test.py"):
        return []
    joined = re.sub(r"\n[ \t]*(//[/!]?|#|\|)?[ \t]*", lambda found: " " * len(found.group()), text)
    lowered = joined.lower()
    found = []
    for quick, exact, instead in ODD_PATTERNS:
        for phrase in exact.finditer(joined) if quick.search(lowered) else ():
            words = " ".join(phrase.group().split())
            found.append(f'{name}:{line_of(text, phrase.start())}: "{words}": write {instead}')
    return found


def check_headers(root, names):
    """Headers that nobody includes, and headers that make their users pay for heavy ones."""
    graph = IncludeGraph(root)
    users = {}
    for name in names:
        for _, included, _ in graph.includes(name):
            users.setdefault(included, set()).add(name)
    found = []
    for name in names:
        if not (name.startswith("equipoise/") and name.endswith(".hpp")):
            continue
        if not users.get(name, set()) - {name[:-4] + ".cpp"}:
            found.append(f"{name}:1: no other file includes this header")
        for line, included, _ in graph.includes(name):
            if HEAVY_HEADER.match(included) and room_of(name) not in PROGRAM_ROOMS:
                found.append(f"{name}:{line}: <{included}> is heavy; include it in the .cpp alone")
    return found


def check_decisions(root):
    """Decisions are numbered without gaps, except for numbers that the index says were not used."""
    index = Path(root) / "docs/decisions/index.md"
    if not index.is_file():
        return []
    unused = {number for line in re.findall(r"^Not used: (.*)$", index.read_text(), re.M)
              for number in re.findall(r"\b\d{4}\b", line)}
    used = [path.name[:4] for path in index.parent.glob("[0-9][0-9][0-9][0-9]-*.md")]
    found = [f"docs/decisions/index.md:1: there is no decision {number:04}: say so in a line that "
             'begins with "Not used:"' for number in range(1, int(max(used, default=0)) + 1)
             if f"{number:04}" not in unused.union(used)]
    found += [f"docs/decisions/index.md:1: decision {number} is there, and said not to be used"
              for number in sorted(unused.intersection(used))]
    found += [f"docs/decisions/index.md:1: there are {used.count(number)} decisions {number}"
              for number in sorted(set(used)) if used.count(number) > 1]
    return found


def named_paths(text):
    """(line, path) of everything between backticks that reads like a path."""
    for found in re.finditer(r"`([\w.{},*<>/-]+)`", text):
        path = found.group(1)
        if "/" in path and not re.search(r"[<>*{]", path):
            yield line_of(text, found.start()), path


def existing_paths(root):
    """All files of the project and, with a slash at the end, all folders; paths from the root."""
    root = Path(root)
    tops = [path for path in root.iterdir() if path.name not in ("build", ".git", ".cache")]
    found = tops + [path for top in tops for path in top.rglob("*")]
    return [path.relative_to(root).as_posix() + "/" * path.is_dir() for path in found]


def check_map(root):
    """ARCHITECTURE.md names only what exists, and every room and folder of the library."""
    path = Path(root) / "ARCHITECTURE.md"
    if not path.is_file():
        return ["ARCHITECTURE.md:1: there is no map"]
    text = path.read_text()
    existing = existing_paths(root)
    found = [f"ARCHITECTURE.md:{line}: there is no {name}" for line, name in named_paths(text)
             if not any(f"/{there}".endswith(f"/{name}") for there in existing)]
    for folder in sorted({Path(name).parent.as_posix() for name in existing
                          if name.startswith("equipoise/") and Path(name).suffix in CPP}):
        short = folder.removeprefix("equipoise/")
        if f"`{short}/`" not in text and f"`{Path(folder).name}/`" not in text:
            found.append(f"ARCHITECTURE.md:1: does not name equipoise/{short}/")
    return found


def check_links(root, documents):
    """Relative links of documents lead somewhere."""
    found = []
    for name in documents:
        text = (Path(root) / name).read_text()
        for link in re.finditer(r"\]\(([^)\s#]+)(#[^)]*)?\)", text):
            target = link.group(1)
            if "://" not in target and not target.startswith("mailto:"):
                if not ((Path(root) / name).parent / target).exists():
                    found.append(f"{name}:{line_of(text, link.start())}: "
                                 f"the link {target} leads nowhere")
    return found


def check_named_tests(root, documents):
    """Tests and files that documents name between backticks exist. Decisions tell how things
    were, and may name what is no longer there."""
    tests = {".".join(test) for path in (Path(root) / "tests").rglob("*.cpp")
             for test in TEST_NAME.findall(path.read_text())}
    found = []
    for name in documents:
        if name.startswith("docs/decisions/"):
            continue
        text = (Path(root) / name).read_text()
        for test in re.finditer(r"`([A-Z]\w+\.[A-Z]\w+)`", text):
            if test.group(1) not in tests:
                found.append(f"{name}:{line_of(text, test.start())}: there is no test "
                             f"{test.group(1)}")
        for line, path in named_paths(text):
            if path.startswith(NAMED_FOLDERS) and not (Path(root) / path).exists():
                found.append(f"{name}:{line}: there is no {path}")
    return found


def files(root):
    """The project's text files, as paths from the root."""
    root = Path(root)
    found = [path for folder in CODE_FOLDERS for path in (root / folder).rglob("*")
             if path.suffix in TEXT and path.is_file()]
    found += [root / name for name in ("dev", ".ci/run", "CMakeLists.txt", "setup.py")]
    return sorted(path.relative_to(root).as_posix() for path in found if path.is_file())


def conflicts(name, text):
    return [f"{name}:{line_of(text, mark.start())}: two changes that were not joined"
            for mark in CONFLICT.finditer(text)]


def check_tree(root):
    names = files(root)
    cpp = [name for name in names if Path(name).suffix in CPP]
    if not any(name.startswith("equipoise/") for name in cpp):
        return [f"{root}: found no C++ files below equipoise/"]
    documents = sorted(path.relative_to(root).as_posix() for pattern in ("*.md", "docs/**/*.md")
                       for path in Path(root).glob(pattern))
    found = []
    for name in names:
        text = (Path(root) / name).read_text()
        if Path(name).suffix != ".txt" or name.endswith("CMakeLists.txt"):
            found += check_lines(name, text)
        found += odd_phrases(name, text) + conflicts(name, text)
        if Path(name).suffix in CPP | C:
            found += check_cpp(name, text)
    for name in documents:
        text = (Path(root) / name).read_text()
        found += odd_phrases(name, text) + conflicts(name, text)
    return (found + check_headers(root, cpp) + check_decisions(root) + check_map(root) +
            check_links(root, documents) + check_named_tests(root, documents))


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    violations = check_tree(root)
    print("\n".join(violations) if violations else "the text is in house style")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
