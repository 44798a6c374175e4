"""Plays what pages show: commands in one shell for each page, Python in one interpreter."""

import json
import os
import pathlib
import re
import select
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading

from pages.blocks import Block

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECONDS_MAX = 180
# Folders of the repository that pages may use, copied so that a page may write into them.
GIVEN = ("examples", "scenarios", "schemas")
COMPILERS = re.compile(r"\b(cmake|pkg-config|mpi(c|f)\w+|gfortran|g?cc)\b|\b[cg]\+\+")
# Debian's interpreter, for which the package is built.
PYTHON = "/usr/bin/python3"
# Open MPI runs as root and with more ranks than processors, and asks no other machine.
MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_plm": "isolated",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMP_WAIT_POLICY": "passive"}

# Runs blocks in one namespace; what they print is not checked.
INTERPRETER = """
import json, os, sys, traceback
replies = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
names = {"__name__": "__main__"}
for line in sys.stdin:
    block = json.loads(line)
    error = ""
    try:
        exec(compile("\\n" * block["line"] + block["code"], block["page"], "exec"), names)
    except BaseException:
        error = traceback.format_exc()
    replies.write(json.dumps(error) + "\\n")
    replies.flush()
"""


class PlayError(Exception):
    """A command that does not end, or a block that fails."""


class Installation:
    """The program, the Python package and, once a page asks for it, an installed prefix."""

    def __init__(self, program):
        self.program = pathlib.Path(program).resolve()
        self.build = self.program.parent.parent
        self.package = self.build / "python"
        self.has_python = any(self.package.glob("equipoise/_core.*.so"))
        self.lock = threading.Lock()
        self.scratch = tempfile.TemporaryDirectory(prefix="equipoise-pages-")
        self.commands = pathlib.Path(self.scratch.name) / "bin"
        self.commands.mkdir()
        (self.commands / "equipoise").symlink_to(self.program)
        if pathlib.Path(PYTHON).exists():
            (self.commands / "python3").symlink_to(PYTHON)
        self.installed = None

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.scratch.cleanup()

    def prefix(self):
        """Where the build is installed; done once, for the first page that compiles something."""
        with self.lock:
            if self.installed is None:
                where = pathlib.Path(self.scratch.name) / "prefix"
                done = subprocess.run(["cmake", "--install", self.build, "--prefix", where],
                                      capture_output=True, text=True, check=False)
                if done.returncode:
                    raise PlayError(f"cmake --install {self.build}: {done.stderr}")
                self.installed = where
        return self.installed

    def environment(self, compiles):
        environment = dict(os.environ) | MPI_ENVIRONMENT | {
            "PATH": f"{self.commands}:{os.environ['PATH']}", "PYTHONPATH": str(self.package),
            "PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg", "LC_ALL": "C.UTF-8"}
        for name in ("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "MAKEFLAGS",
                     "COLUMNS"):
            environment.pop(name, None)
        if compiles:
            environment["CMAKE_PREFIX_PATH"] = str(self.prefix())
            environment["PKG_CONFIG_PATH"] = ":".join(map(str, self.prefix().rglob("pkgconfig")))
        return environment


class Helper:
    """A process that obeys one line at a time and replies with one line."""

    def __init__(self, command, folder, environment):
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True)

    def ask(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()
        reply = b""
        while not reply.endswith(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], SECONDS_MAX)
            if not ready:
                raise PlayError(f"this takes more than {SECONDS_MAX} seconds")
            more = os.read(self.process.stdout.fileno(), 1 << 16)
            if not more:
                raise PlayError("this ends the shell that plays the page")
            reply += more
        return reply.decode()

    def end(self):
        """Ends the process and whatever it left running."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class PageFolder:
    """The temporary folder of one page, its shell and its interpreter."""

    def __init__(self, installation, items):
        """For the blocks and pictures of a page: one that compiles needs an installed prefix."""
        played = "".join(item.body for item in items
                         if isinstance(item, Block) and item.language == "console"
                         and not item.told("not played"))
        self.scratch = tempfile.TemporaryDirectory(prefix="equipoise-page-")
        self.path = pathlib.Path(self.scratch.name) / "page"
        self.path.mkdir()
        for name in GIVEN:
            if (ROOT / name).exists():
                shutil.copytree(ROOT / name, self.path / name)
        self.environment = installation.environment(COMPILERS.search(played))
        self.helpers = {}

    def __enter__(self):
        return self

    def __exit__(self, *error):
        for helper in self.helpers.values():
            helper.end()
        self.scratch.cleanup()

    def helper(self, *command):
        if command not in self.helpers:
            self.helpers[command] = Helper(command, self.path, self.environment)
        return self.helpers[command]

    def write(self, name, text):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def play(self, command):
        """The lines that a command prints, standard output first, and whether it succeeds."""
        out, err = (self.path.parent / name for name in ("out", "err"))
        # `eval` keeps what the command changes in the shell: its folder, its variables.
        status = self.helper("bash", "--norc", "--noprofile").ask(
            f"eval {shlex.quote(command)} >{out} 2>{err} </dev/null; echo $?")
        text = out.read_text(errors="replace") + err.read_text(errors="replace")
        # The folder has another name each time.
        return text.replace(str(self.path), "/tmp/page").splitlines(), status.strip() == "0"

    def run_python(self, block, page):
        """Runs a ```python block in the page's namespace."""
        order = {"code": block.body, "line": block.first + 1, "page": str(page)}
        error = json.loads(self.helper(PYTHON, "-c", INTERPRETER).ask(json.dumps(order)))
        if error:
            raise PlayError(error.strip())
