#!/usr/bin/env python3
"""Whatever ends the program while it writes, no temporary file is left, and the old file remains.

usage: leftovers_test.py PROGRAM
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
WRITE = [PROGRAM, "generate", "--network", "path:n=3000000", "-o", "net.edges", "--quiet"]


def expect(holds, what):
    if not holds:
        sys.exit("not so: " + what)


def has_begun(process, folder):
    """Whether it has a file open in the folder that is no longer empty."""
    for number in os.listdir(f"/proc/{process.pid}/fd"):
        try:
            path = f"/proc/{process.pid}/fd/{number}"
            if os.readlink(path).startswith(folder) and os.stat(path).st_size > 0:
                return True
        except FileNotFoundError:
            pass
    return False


def ended(number, folder):
    """Sends the signal once the program has begun to write; its exit status."""
    with open(os.path.join(folder, "net.edges"), "w", encoding="utf-8") as file:
        file.write("0 1\n")
    with subprocess.Popen(WRITE, cwd=folder) as process:
        deadline = time.monotonic() + 60
        while process.poll() is None and not has_begun(process, folder):
            expect(time.monotonic() < deadline, "it begins to write within a minute")
            time.sleep(0.001)
        process.send_signal(number)
        return process.wait()


def main():
    for number in [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL]:
        with tempfile.TemporaryDirectory() as made:
            folder = os.path.realpath(made)
            # On a busy machine it may have written all before the signal comes.
            status = next(filter(None, (ended(number, folder) for _ in range(5))), 0)
            expect(status == -number, f"it ends by signal {number}: {status}")
            # Only file systems with files without names are proof against SIGKILL.
            named = number == signal.SIGKILL and not hasattr(os, "O_TMPFILE")
            expect(named or os.listdir(folder) == ["net.edges"],
                   f"signal {number} leaves {os.listdir(folder)}")
            with open(os.path.join(folder, "net.edges"), encoding="utf-8") as file:
                expect(file.read() == "0 1\n", "the old file stands")


main()
