"""The package installs offline, into a fresh environment that sees Debian's packages."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import equipoise

ROOT = Path(__file__).resolve().parents[2]


def install(tmp_path, environment):
    """The folder of the package as installed from a wheel; the wheel is built of a copy."""
    source = tmp_path / "source"
    source.mkdir()
    for name in ("CMakeLists.txt", "LICENSE", "pyproject.toml", "setup.py", "cmake", "equipoise",
                 "python", "docs"):
        (source / name).symlink_to(ROOT / name)
    subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "v"],
                   check=True)
    python = tmp_path / "v" / "bin" / "python"
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-index", "--no-build-isolation", "."],
        cwd=source, env={**os.environ, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return python


def check_installed(python, tmp_path):
    """That the installed package runs from any folder, and links no MPI."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    said = subprocess.run(
        [python, "-c", "import equipoise; print(equipoise._core.__file__); "
         "print(equipoise.run('threshold-2', network='torus:8x8', loads='spike:tokens=99').steps)"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout.split()
    assert Path(said[0]).is_relative_to(tmp_path / "v")
    assert int(said[1]) > 0
    refused = subprocess.run([python, "-c", "import equipoise.mpi"], cwd=tmp_path, env=environment,
                             capture_output=True, text=True)
    assert "packages built by pip have none" in refused.stderr.splitlines()[-1]
    linked = subprocess.run(["ldd", said[0]], capture_output=True, text=True, check=True).stdout
    assert "libc.so" in linked
    assert "mpi" not in linked.lower()


def test_a_wheel_installs_and_runs(tmp_path):
    check_installed(install(tmp_path, {"EQUIPOISE_CORE": equipoise._core.__file__}), tmp_path)


@pytest.mark.long
def test_a_wheel_is_built_from_nothing(tmp_path):
    check_installed(install(tmp_path, {}), tmp_path)
