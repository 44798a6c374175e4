#!/usr/bin/env python3
"""The version: checks that all places agree with CMakeLists.txt, or sets a new one everywhere.

usage: version.py [NEW_VERSION]

The program, the Python package, pkg-config and CMake take theirs from CMakeLists.txt.
Versions follow semver. CHANGELOG.md is written by hand: from 1.0.0 on it has a section
`## VERSION`. debian/changelog gets a new entry above the earlier ones; setting the version that it
names already only renews the date. Transcripts of the command line name the version, too;
`./dev update` makes them again.
"""

import datetime
import email.utils
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SEMVER = r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)"

# (file, what stands before the version, what stands after it)
DEBIAN = ("debian/changelog", r"\Aequipoise \(", r"\) unstable; ")
PLACES = [
    ("CMakeLists.txt", r"project\(Equipoise VERSION ", " LANGUAGES"),
    DEBIAN,
    ("CITATION.cff", r"^version: ", "$"),
    ("packaging/spack/packages/equipoise/package.py", r'^    version\("', '", branch='),
]


def version_in(name, before, after):
    found = re.search(f"(?m:{before})([^ \"\\n]*?)(?m:{after})", (ROOT / name).read_text())
    if not found:
        sys.exit(f"{name}: expected a version between {before} and {after}, found none")
    return found.group(1)


def check():
    """What is wrong, a line each."""
    wrong = []
    version = version_in(*PLACES[0])
    if not re.fullmatch(SEMVER, version):
        wrong.append(f"CMakeLists.txt: expected a version X.Y.Z, found {version}")
        return wrong
    for place in PLACES[1:]:
        if (found := version_in(*place)) != version:
            wrong.append(f"{place[0]}: expected the version {version}, found {found}")
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    released = [heading.split()[0] for heading in headings if heading != "Unreleased"]
    major = int(version.split(".")[0])
    if major > 0 and released[:1] != [version]:
        wrong.append(f"CHANGELOG.md: expected {version} as the latest version, "
                     f"found {released[:1]}")
    # The number that programs linked to the shared libraries name.
    number = version_in("CMakeLists.txt", r"set\(EQUIPOISE_SOVERSION ", r"\)")
    if int(number) < major:
        wrong.append(f"CMakeLists.txt: expected EQUIPOISE_SOVERSION {major} or more, "
                     f"found {number}")
    for name in ("debian/control", "debian/rules"):
        for package in set(re.findall(r"\blibequipoise(?:-balancer)?(\d+)",
                                      (ROOT / name).read_text())):
            if package != number:
                wrong.append(f"{name}: expected libraries of the number {number}, found {package}")
    return wrong


def write_debian_changelog(version):
    """The latest entry of debian/changelog names the version and this moment."""
    name, before, after = DEBIAN
    path = ROOT / name
    text = path.read_text()
    if version_in(name, before, after) != version:
        first = re.match(r".*?^ -- .*?\n", text, re.M | re.S)[0]
        text = re.sub(f"({before})[^)]*", rf"\g<1>{version}", first) + "\n" + text
    now = email.utils.format_datetime(datetime.datetime.now(datetime.timezone.utc))
    path.write_text(re.sub(r"(?m)^( -- .*>  ).*$", rf"\g<1>{now}", text, count=1))


def write(version):
    if not re.fullmatch(SEMVER, version):
        sys.exit(f"expected a version X.Y.Z, found {version}")
    for name, before, after in PLACES:
        version_in(name, before, after)
    write_debian_changelog(version)
    for name, before, after in PLACES:
        if name == DEBIAN[0]:
            continue
        text = (ROOT / name).read_text()
        (ROOT / name).write_text(re.sub(f"((?m:{before}))[^ \"\\n]*?((?m:{after}))",
                                        rf"\g<1>{version}\g<2>", text, count=1))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        sys.exit(__doc__)
    if len(sys.argv) == 2:
        write(sys.argv[1])
    found_wrong = check()
    print("\n".join(found_wrong) or f"version {version_in(*PLACES[0])} everywhere")
    sys.exit(bool(found_wrong))
