"""How the pages of docs/results are made: from the CSV files of sweeps, figures and blocks of text.

A paper is a module of this folder with a `Paper`, called `paper`. Its sweeps are scenarios in
scenarios/PAPER; their CSV files, its figures and its page lie in docs/results.
"""

import io
import json
import pathlib
import re
import subprocess
import tempfile

import matplotlib
import numpy
import pandas

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results"
SCENARIOS = ROOT / "scenarios"
CERTIFICATES = ROOT / "examples" / "certificates"

# Those of the program's pictures (equipoise/report/pictures/look.hpp).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#b0a000")
MARKERS = "os^Dv*PH"
LOOK = {
    "font.family": "sans-serif", "font.size": 10, "svg.fonttype": "none",
    "svg.hashsalt": "equipoise", "figure.figsize": (7.5, 4.2),
    "figure.constrained_layout.use": True,
    "axes.grid": True, "grid.color": "0.9", "axes.axisbelow": True, "axes.spines.top": False,
    "axes.spines.right": False, "legend.frameon": False, "lines.markersize": 5,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS) + matplotlib.cycler(marker=list(MARKERS)),
}
BLOCK = re.compile(r"(<!-- made: (\S+) -->\n)(.*?)(<!-- end -->)", re.S)


class ClaimError(Exception):
    """What a page says that its data do not show."""


def claim(holds, words):
    """What a page says about its data; the page is not made if they no longer show it."""
    if not bool(holds):
        raise ClaimError(f"no longer true: {words}")


def certificate(name):
    """What a file of certificates claims; `equipoise verify` says whether it holds."""
    return json.loads((CERTIFICATES / f"{name}.json").read_text(encoding="utf-8"))


class Source:
    """What a CSV file is made from; `tested`: also in ./dev test, `long`: only on demand."""

    def __init__(self, paper, name, tested, long):
        if tested and long:
            raise ValueError(f"{paper}/{name}: a sweep is tested or long, not both")
        self.name, self.tested, self.long = name, tested, long
        self.csv = RESULTS / paper / f"{name}.csv"

    def data(self):
        """The rows of the CSV file."""
        return pandas.read_csv(self.csv)


def play_scenario(program, scenario, csv, threads):
    """Runs a scenario; it may not be resumed from an earlier start."""
    csv.with_name(csv.name + ".partial").unlink(missing_ok=True)
    subprocess.run([program, "sweep", str(scenario), "--csv", str(csv), "--threads", str(threads),
                    "--quiet"], check=True, cwd=ROOT)


class Sweep(Source):
    """A scenario."""

    def __init__(self, paper, name, tested, long):
        super().__init__(paper, name, tested, long)
        self.scenario = SCENARIOS / paper / f"{name}.json"

    def play(self, program, csv, threads):
        """Runs the scenario."""
        play_scenario(program, self.scenario.relative_to(ROOT), csv, threads)


class Series(Source):
    """The rows of many scenarios that a function makes and, from them, what it keeps."""

    def __init__(self, paper, name, tested, long, count):
        super().__init__(paper, name, tested, long)
        self.count = count

    def play(self, program, csv, threads):
        """Runs the scenarios one after another."""
        with tempfile.TemporaryDirectory(prefix="equipoise-series-") as folder:
            path = pathlib.Path(folder) / "scenario.json"
            rows = path.with_suffix(".csv")

            def sweep(scenario):
                path.write_text(json.dumps(scenario), encoding="utf-8")
                play_scenario(program, path, rows, threads)
                read = pandas.read_csv(rows)
                rows.unlink()
                return read

            self.count(sweep).to_csv(csv, index=False, lineterminator="\n")


class Records(Source):
    """What a function counts in the records of runs, because only these hold it."""

    def __init__(self, paper, name, tested, long, count):
        super().__init__(paper, name, tested, long)
        self.count = count

    def play(self, program, csv, _threads):
        """Makes the runs that the function asks for, and its rows from them."""
        with tempfile.TemporaryDirectory(prefix="equipoise-records-") as folder:
            path = pathlib.Path(folder) / "record.json"

            def record(*arguments):
                subprocess.run([program, "run", *arguments, "--record", str(path),
                                "--record-level", "full", "--quiet"], check=True, cwd=ROOT)
                return json.loads(path.read_text(encoding="utf-8"))

            self.count(record).to_csv(csv, index=False, lineterminator="\n")


class Answers(Source):
    """What a function keeps of the JSON that commands print, for verbs that no sweep plays."""

    def __init__(self, paper, name, tested, long, count):
        super().__init__(paper, name, tested, long)
        self.count = count

    def play(self, program, csv, _threads):
        """Gives the commands that the function asks for, and makes its rows from the answers."""
        def ask(*arguments):
            answer = subprocess.run([program, *arguments, "--json"], check=True, cwd=ROOT,
                                    stdout=subprocess.PIPE, encoding="utf-8")
            return json.loads(answer.stdout)

        self.count(ask).to_csv(csv, index=False, lineterminator="\n")


class Data:
    """The CSV files of a paper by the names of their sweeps, each read once."""

    def __init__(self, sweeps):
        self.sweeps = sweeps
        self.read = {}

    def __getitem__(self, name):
        if name not in self.read:
            self.read[name] = self.sweeps[name].data()
        return self.read[name].copy()


def with_counted_clips(svg):
    """The SVG with its clipping areas called clip-1, clip-2, ... Matplotlib names them after their
    exact sizes, whose last bits differ between processors."""
    names = {}
    return re.sub(r"(?<=[\"#])p[0-9a-f]{10}(?=[\")])",
                  lambda found: names.setdefault(found.group(), f"clip-{len(names) + 1}"), svg)


class Paper:
    """The page of a paper: its sweeps, and functions that make figures and blocks from them."""

    def __init__(self, name, title):
        self.name, self.title = name, title
        self.page = RESULTS / f"{name}.md"
        self.folder = RESULTS / name
        self.sweeps = {}
        self.figures = {}
        self.blocks = {}

    def sweep(self, name, tested=False, long=False):
        """Names a scenario of scenarios/PAPER."""
        self.sweeps[name] = Sweep(self.name, name, tested, long)

    def records(self, name, tested=False, long=False):
        """Decorates a function that makes rows, a DataFrame, from runs: it is given `record`, which
        takes the arguments of `equipoise run` and returns the full record. For what no sweep can
        list, as the order of messages."""
        def keep(count):
            self.sweeps[name] = Records(self.name, name, tested, long, count)
            return count
        return keep

    def answers(self, name, tested=False, long=False):
        """Decorates a function that makes rows, a DataFrame, from what commands say: it is given
        `ask`, which takes their arguments and returns what --json prints."""
        def keep(count):
            self.sweeps[name] = Answers(self.name, name, tested, long, count)
            return count
        return keep

    def series(self, name, tested=False, long=False):
        """Decorates a function that makes rows, a DataFrame, from scenarios: it is given `sweep`,
        which plays a scenario, a dict, and returns its rows. For many small grids whose axes depend
        on one another."""
        def keep(count):
            self.sweeps[name] = Series(self.name, name, tested, long, count)
            return count
        return keep

    def figure(self, name, panels=1, **shape):
        """Decorates a function of the data and axes (a list if there are several panels) that draws
        docs/results/PAPER/NAME.svg; `shape` goes to pyplot.subplots."""
        def keep(draw):
            self.figures[name] = (draw, panels, shape)
            return draw
        return keep

    def block(self, name):
        """Decorates a function of the data that returns Markdown for the page, between
        <!-- made: NAME --> and <!-- end -->."""
        def keep(write):
            self.blocks[name] = write
            return write
        return keep

    def data(self):
        return Data(self.sweeps)

    def drawn(self, name, data):
        """The SVG text of a figure; the same for the same data and matplotlib."""
        draw, panels, shape = self.figures[name]
        with matplotlib.rc_context(LOOK):
            figure, axes = pyplot.subplots(1, panels, **shape)
            try:
                draw(data, axes)
                text = io.StringIO()
                figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
            finally:
                pyplot.close(figure)
        lines = with_counted_clips(text.getvalue()).splitlines()
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def written(self, page, data):
        """The page with its blocks made anew; `page` is its text."""
        there = {found.group(2) for found in BLOCK.finditer(page)}
        for name in sorted(there ^ set(self.blocks)):
            raise ClaimError(f"{self.page.name}: block {name!r} is on the page or in the module, "
                             "not in both")
        return BLOCK.sub(lambda found: found.group(1) + "\n" + self.made(found.group(2), data)
                         + "\n\n" + found.group(4), page)

    def made(self, name, data):
        """The Markdown of a block."""
        try:
            return self.blocks[name](data).strip()
        except ClaimError as error:
            raise ClaimError(f"{self.page.name}, block {name}: {error}") from error


def table(rows, header, align=None):
    """A Markdown table; `align` has a letter for each column, l or r (default: r where all cells
    are numbers)."""
    rows = [[cell if isinstance(cell, str) else number(cell) for cell in row] for row in rows]
    if align is None:
        align = "".join("r" if rows and all(re.fullmatch(r"[-−]?[\d,.]+", row[k]) or not row[k]
                                            for row in rows) else "l"
                        for k in range(len(header)))
    lines = ["| " + " | ".join(header) + " |",
             "|" + "|".join("---:" if side == "r" else "---" for side in align) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def number(value, digits=3):
    """As the program writes numbers: whole ones with commas, others with a few digits."""
    if value is None or pandas.isna(value):
        return ""
    if float(value) == int(value):
        return f"{int(value):,}"
    if abs(value) >= 10 ** digits:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def exponent(x, y):
    """The slope of log y over log x by least squares: y grows like x to this power."""
    return float(numpy.polyfit(numpy.log(x), numpy.log(y), 1)[0])
