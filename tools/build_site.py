#!/usr/bin/python3
"""Builds the site: stages the pages of docs/, reads the comments of all headers, runs Sphinx, and
checks that every link leads somewhere. Any warning is an error. Needs no network.

usage: build_site.py --program build/bin/equipoise [--output build/docs]
"""

import argparse
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

from pages.blocks import PageError
from pages.player import Installation, PlayError
from pages.site_links import broken_links
from pages.staging import Site

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODULES = ("sphinx", "myst_parser", "furo", "breathe", "sphinx_copybutton", "nbconvert")
NOT_BUILT = 77  # the exit status that says to CTest: skipped
HEADERS = "cmake/EquipoisePublicHeaders.cmake"


def newest(paths):
    return max(path.stat().st_mtime_ns for path in paths)


def filters():
    """Filters by which all that a public header declares is a group of Doxygen's, which Breathe can
    show without the namespaces around it. `model/run/stop.hpp` is the group `model_run_stop`."""
    shown = "".join(page.read_text() for page in (ROOT / "docs/reference/cpp").glob("*.md"))
    made = []
    for header in re.findall(r"^    (\w\S+\.hpp)", (ROOT / HEADERS).read_text(), re.M):
        group = header[:-4].replace("/", "_")
        if f"{{doxygengroup}} {group}\n" not in shown and header != "equipoise.hpp":
            raise PageError(f"docs/reference/cpp: no page shows {header}, which is public")
        begin = f"/** @addtogroup {group}\\n@{{ */"
        made.append(f"\"*/equipoise/{header}=sed -e 's,^namespace equipoise.*{{$,&{begin},' "
                    "-e 's,^}  // namespace equipoise,/** @} */&,'\"")
    for header, group in (("equipoise", "c"), ("equipoise_rows", "c_rows")):
        made.append(f"\"*/capi/{header}.h=sed -e '1s,^,/** @addtogroup {group}\\n@{{ */,' "
                    "-e '$a /** @} */'\"")
    return " ".join(made)


def read_headers(folder):
    """Doxygen's XML of all headers, made again when a header has changed."""
    xml = folder / "doxygen" / "xml" / "index.xml"
    doxyfile = ROOT / "docs" / "site" / "Doxyfile"
    headers = [p for p in (ROOT / "equipoise").rglob("*") if p.suffix in (".hpp", ".h")]
    if not xml.exists() or xml.stat().st_mtime_ns < newest([doxyfile, ROOT / HEADERS, *headers]):
        shutil.rmtree(xml.parent.parent, ignore_errors=True)
        xml.parent.parent.mkdir(parents=True)
        subprocess.run(["doxygen", "-"], cwd=ROOT, check=True, text=True,
                       input=f"@INCLUDE = {doxyfile}\nOUTPUT_DIRECTORY = {xml.parent.parent}\n" +
                       f"FILTER_PATTERNS = {filters()}\n")
    return xml.parent


def run_sphinx(folder, output, xml, installation):
    """Sphinx's status. It writes all pages, since each shows the titles of others. What it has read
    is forgotten after a warning, which it gives only once."""
    environment = installation.environment(compiles=False) | {
        "EQUIPOISE_DOXYGEN_XML": str(xml), "EQUIPOISE_SITE_EXTRA": str(folder / "extra")}
    status = subprocess.run(
        [sys.executable, "-m", "sphinx", "-b", "html", "-a", "-W", "--keep-going", "-q",
         "-j", "auto", "-c", ROOT / "docs" / "site", "-d", folder / "doctrees",
         folder / "source", output],
        env=environment, check=False).returncode
    if status:
        shutil.rmtree(folder / "doctrees", ignore_errors=True)
    return status


def build(program, output):
    folder = output.parent / "site"
    began = time.monotonic()
    with Installation(program) as installation:
        shutil.rmtree(folder / "extra", ignore_errors=True)
        (folder / "extra").mkdir(parents=True)
        Site(folder, installation).stage()
        if run_sphinx(folder, output, read_headers(folder), installation):
            return 1
    broken = broken_links(output)
    for line in broken:
        print(line)
    pages = len(list(output.rglob("*.html")))
    print(f"{output}/index.html: {pages} pages, {len(broken)} broken links, "
          f"{time.monotonic() - began:.0f} s")
    return 1 if broken else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--output", default=ROOT / "build" / "docs", type=pathlib.Path)
    options = parser.parse_args()
    missing = [name for name in MODULES if importlib.util.find_spec(name) is None]
    missing += [] if shutil.which("doxygen") else ["doxygen"]
    if missing:
        print(f"the site is not built: missing {', '.join(missing)} (packages/docs.txt)")
        return NOT_BUILT
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    try:
        return build(options.program, options.output.resolve())
    except (PageError, PlayError, subprocess.CalledProcessError) as error:
        print(error)
        return 1


if __name__ == "__main__":
    sys.exit(main())
