#!/usr/bin/env python3
"""The Debian packages, tried as somebody would who has only Debian.

usage: debian_test.py FOLDER_OF_PACKAGES SCRATCH

Makes a fresh Debian below SCRATCH, from the mirror that this machine uses, installs the packages
there with apt, and runs the README's first comparison, the manuals, the Python package, and
programs that are built with the libraries. Needs root. Exit status 77 says that there is no root or
no debootstrap.
"""
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples/with"
SECONDS_TO_FIRST_RUN_MAX = 60

CMAKE = """cmake_minimum_required(VERSION 3.25)
project(Tried LANGUAGES CXX)
find_package(Equipoise REQUIRED{components})
add_executable(tried {source})
target_link_libraries(tried PRIVATE {target})
"""
PYTHON = """
import equipoise
run = equipoise.run("threshold-2", network="torus:8x8", loads="spike:tokens=1000")
assert run.reached and sum(run.loads.values()) == 1000, run
print("python:", equipoise.__version__, run.discrepancy)
"""
MPI4PY = """
import numpy
import equipoise.mpi
from mpi4py import MPI
rank = MPI.COMM_WORLD.rank
held = equipoise.mpi.rebalance(MPI.COMM_WORLD, numpy.arange(100 if rank == 0 else 0))
assert len(held) == 50, held
print("mpi4py: rank", rank, len(held))
"""
MPIRUN = ("OMPI_MCA_plm=isolated OMPI_MCA_btl_vader_single_copy_mechanism=none "
          "mpirun --allow-run-as-root --oversubscribe -n 2 ")


def mirror():
    """The repository of this machine's own release, and its name."""
    codename = re.search(r"^VERSION_CODENAME=(.*)$", Path("/etc/os-release").read_text(), re.M)[1]
    listed = subprocess.run(["apt-get", "indextargets", "--format",
                             "$(CODENAME) $(COMPONENT) $(REPO_URI)", "Created-By: Packages"],
                            capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        name, component, uri = line.split()
        if (name, component) == (codename, "main"):
            return codename, uri
    sys.exit(f"apt knows no repository of {codename}, main")


class FreshDebian:
    """A Debian in a folder."""

    def __init__(self, folder):
        self.folder = folder
        codename, uri = mirror()
        shutil.rmtree(folder, ignore_errors=True)
        kept = folder.parent / "downloaded"
        kept.mkdir(parents=True, exist_ok=True)
        subprocess.run(["debootstrap", "--variant=minbase", f"--cache-dir={kept.resolve()}",
                        codename, folder, uri], check=True, stdout=subprocess.DEVNULL)
        shutil.copy("/etc/resolv.conf", folder / "etc/resolv.conf")
        # A fresh Debian keeps manuals.
        self.run("rm -f /etc/dpkg/dpkg.cfg.d/* && apt-get update -q")

    def run(self, command):
        """What a command prints; fails with it."""
        done = subprocess.run(
            ["chroot", self.folder, "/bin/sh", "-ec", "cd /root; " + command],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND": "noninteractive",
                 "LC_ALL": "C.UTF-8", "HOME": "/root"})
        if done.returncode != 0:
            sys.exit(f"in the fresh Debian: {command}\n{done.stdout}")
        return done.stdout

    def install(self, *packages):
        self.run("apt-get install -y -q --no-install-recommends " + " ".join(packages))

    def write(self, path, text):
        (self.folder / "root" / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / "root" / path).write_text(text)


def expect(text, wanted):
    if wanted not in text:
        sys.exit(f'expected "{wanted}", found:\n{text}')


def try_example(debian, name, command):
    """Runs an example of docs/how-to/with-your-library.md, which must print its transcript."""
    said = debian.run("PETSC_DIR=$(ls -d /usr/lib/petscdir/*/*-real || true) " +
                      MPIRUN.replace("-n 2", "-n 4") + command)
    for line in (EXAMPLES / f"{name}.txt").read_text().splitlines():
        expect(said, line)


def try_program(debian):
    start = time.monotonic()
    debian.install("./equipoise_*.deb")
    installed = time.monotonic() - start
    readme = (ROOT / "README.md").read_text()
    command = re.search(r"^\$ (equipoise compare .*)$", readme, re.M)[1]
    said = debian.run("cd /usr/share/doc/equipoise; " + command)
    seconds = time.monotonic() - start
    for algorithm in command.split(" --")[0].split()[2:]:
        expect(said, algorithm)
    print(f"the README's comparison, {seconds:.1f} s after `apt-get install` began "
          f"(installed in {installed:.1f} s)")
    if seconds > SECONDS_TO_FIRST_RUN_MAX:
        sys.exit(f"expected at most {SECONDS_TO_FIRST_RUN_MAX} s")
    debian.install("man-db")
    expect(debian.run("man equipoise-compare"), "Run several algorithms on one instance")
    debian.run("test -s /usr/share/bash-completion/completions/equipoise")
    debian.run("test -s /usr/share/zsh/vendor-completions/_equipoise")


def try_agent(debian):
    debian.install("./equipoise-agent_*.deb")
    expect(debian.run("equipoise agent --help"), "--fleet FILE")
    expect(debian.run("systemd-analyze verify --man=no equipoise-agent@chicago.service; "
                      "getent passwd equipoise-agent"), "/usr/sbin/nologin")
    # What running it leaves behind goes with it; what an administrator wrote stays.
    debian.run("cp /usr/share/doc/equipoise/examples/fleets/three.gml /etc/equipoise/fleet.gml; "
               "systemctl enable equipoise-agent@chicago; "
               "install -d -o equipoise-agent /var/lib/equipoise-agent; "
               "test -L /etc/systemd/system/multi-user.target.wants/equipoise-agent@*; "
               "apt-get purge -y -q equipoise-agent; "
               "test -z \"$(find /lib/systemd /etc/systemd /usr/lib/sysusers.d /var/lib "
               "/usr/share/doc -name '*equipoise-agent*' -not -path '/var/lib/systemd/*')\"; "
               "test -s /etc/equipoise/fleet.gml")
    print("the service of agents, installed and removed")


def try_python(debian):
    debian.install("./python3-equipoise_*.deb")
    debian.write("tried.py", PYTHON)
    print(debian.run("python3 tried.py"), end="")
    debian.install("./python3-equipoise-mpi_*.deb", "openmpi-bin")
    debian.write("ranks.py", MPI4PY)
    print(debian.run(MPIRUN + "python3 ranks.py"), end="")
    debian.install("python3-petsc4py")
    for name in ("mpi4py_arrays", "petsc_swarm"):
        debian.write(f"{name}.py", (EXAMPLES / f"{name}.py").read_text())
        try_example(debian, name, f"python3 {name}.py")


def try_library(debian):
    debian.install("./libequipoise1_*.deb", "./libequipoise-dev_*.deb", "g++", "cmake", "make",
                   "pkg-config")
    debian.write("five_lines.cpp", (ROOT / "examples/five_lines.cpp").read_text())
    debian.run("g++ -std=c++20 five_lines.cpp -o five_lines "
               "$(pkg-config --cflags --libs equipoise)")
    expect(debian.run("./five_lines"), "1 after ")
    expect(debian.run("ldd five_lines"), "libequipoise.so.1")
    debian.write("library/CMakeLists.txt", CMAKE.format(
        components="", source="../five_lines.cpp", target="equipoise::equipoise"))
    debian.run("cmake -S library -B library/build && cmake --build library/build")
    expect(debian.run("library/build/tried"), "1 after ")
    print("a C++ program, with pkg-config and with CMake")


def try_balancer(debian):
    debian.install("./libequipoise-balancer1_*.deb", "./libequipoise-balancer-dev_*.deb",
                   "openmpi-bin", "gfortran")
    debian.write("balanced.cpp", (ROOT / "examples/mpi/balanced.cpp").read_text())
    debian.write("balancer/CMakeLists.txt", CMAKE.format(
        components=" COMPONENTS mpi", source="../balanced.cpp", target="equipoise::balancer"))
    debian.run("cmake -S balancer -B balancer/build && cmake --build balancer/build")
    debian.run("mpicxx -std=c++20 balanced.cpp -o balanced "
               "$(pkg-config --cflags --libs equipoise-balancer)")
    for program in ("balancer/build/tried", "./balanced"):
        expect(debian.run(MPIRUN + program), "rank 1: 50025 particles of 50025.50")
    debian.write("rebalance.c", (ROOT / "examples/c/rebalance.c").read_text())
    debian.run("mpicc -std=c11 rebalance.c -o c_tried $(pkg-config --cflags --libs equipoise-c)")
    debian.run(MPIRUN + "./c_tried")
    debian.write("rebalance.f90", (ROOT / "examples/fortran/rebalance.f90").read_text())
    debian.run("mpif90 rebalance.f90 -o f_tried "
               "$(pkg-config --cflags --libs equipoise-fortran)")
    debian.run(MPIRUN + "./f_tried")
    debian.install("libtrilinos-zoltan-dev", "libp4est-dev", "libboost-mpi-dev",
                   "libhdf5-openmpi-dev")
    shutil.copytree(EXAMPLES, debian.folder / "root/with")
    debian.run("cmake -S with -B with/build && cmake --build with/build")
    for name in ("zoltan", "p4est", "boost_mpi", "hdf5"):
        try_example(debian, name, f"with/build/example_{name}")
    print("MPI programs in C++, C and Fortran, and beside other libraries")


def main():
    packages, scratch = Path(sys.argv[1]), Path(sys.argv[2])
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("no test of the packages in a fresh Debian: it needs root and debootstrap")
        return 77
    scratch.mkdir(parents=True, exist_ok=True)
    debian = FreshDebian(scratch / "debian")
    for package in packages.glob("*.deb"):
        shutil.copy(package, debian.folder / "root")
    try_program(debian)
    try_agent(debian)
    try_python(debian)
    try_library(debian)
    try_balancer(debian)
    shutil.rmtree(debian.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
