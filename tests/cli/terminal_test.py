#!/usr/bin/env python3
"""What a person sees: tables that fit the terminal, lines on ended runs, progress, Ctrl-C.

usage: terminal_test.py PROGRAM
"""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

PROGRAM = sys.argv[1]
os.environ.pop("COLUMNS", None)
ARGUMENTS = ["compare", "threshold-1", "discrepancy-1", "deal-agreement-2", "minimum-exchange-tree",
             "--network", "torus:8x8", "--loads", "spike:tokens=1000", "--ascii"]


def on_terminal(columns, *arguments, errors_too=False):
    """What is printed where standard output (or standard error) is a terminal of some width."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    shown = subprocess.PIPE if errors_too else theirs
    with subprocess.Popen([PROGRAM, *arguments], stdout=shown, stderr=theirs) as process:
        os.close(theirs)
        printed = process.stdout.read() if errors_too else b""
        seen = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # Linux says so at the end
                break
            if not piece:
                break
            seen += piece
        process.wait(timeout=60)
    os.close(ours)
    return printed.decode(), re.sub("\r[^\r\n]*\x1b\\[K", "", seen.decode()).replace("\r\n", "\n")


def ended_by_ctrl_c(folder):
    """Ctrl-C in a search of minutes, once it shows how far it is: what it prints, what standard
    error shows, the exit status and the schedule."""
    items, schedule = os.path.join(folder, "items.csv"), os.path.join(folder, "moves.csv")
    with open(items, "w", encoding="utf-8") as file:
        file.write("item,machine,cpu,ram\n")
        for number in range(400):
            file.write(f"i{number},m{number % 7},{number * 7919 % 1009},{number * 104729 % 997}\n")
    ours, theirs = pty.openpty()
    command = [PROGRAM, "reassign", items, "--level", "cpu,ram", "--tolerance", "0", "--seconds",
               "100", "--schedule", schedule]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        while b"iterations" not in seen:
            seen += os.read(ours, 65536)
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=60)[0].decode()
    os.close(ours)
    with open(schedule, encoding="utf-8") as file:
        return printed, seen.decode(), process.returncode, file.read().splitlines()


def plan_ended_by_ctrl_c(folder, seconds):
    """The same after some seconds of a search for the fewest steps, which shows nothing until it
    ends."""
    proof = os.path.join(folder, "proof.json")
    command = [PROGRAM, "plan", "--network", "mesh:100x100", "--loads",
               "corner:tokens=15000,block=13", "--ports", "all", "--seconds", "0", "--windows",
               proof]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=60)[0].decode()
    judged = subprocess.run([PROGRAM, "verify", proof], check=False, capture_output=True, text=True)
    return printed, process.returncode, judged


def plan_without_moves(folder):
    """Memory for the fewest steps but not for their moves."""
    return subprocess.run([PROGRAM, "plan", "--network", "mesh:40x40", "--loads",
                           "corner:tokens=3000,block=6", "--memory", "6", "--schedule",
                           os.path.join(folder, "plan.csv")],
                          check=False, capture_output=True, text=True)


def table_of(text):
    lines = text.splitlines()
    rule = next(i for i, line in enumerate(lines) if line.startswith("---"))
    return lines[rule - 1:lines.index("", rule)]


def expect(holds, what):
    if not holds:
        sys.exit(f"terminal_test.py: {what}")


def main():
    piped = subprocess.run([PROGRAM, *ARGUMENTS], capture_output=True, text=True, check=True).stdout
    expect("promised by" in piped, "a pipe gets the full table")
    _, wide = on_terminal(250, *ARGUMENTS)
    expect(table_of(wide)[0] == table_of(piped)[0], f"a wide terminal shows all:\n{wide}")
    _, narrow = on_terminal(80, *ARGUMENTS)
    expect(max(map(len, table_of(narrow))) <= 80, f"80 columns are enough:\n{narrow}")
    expect("promised by" not in narrow and "--full" in narrow, f"brief, and says so:\n{narrow}")
    expect(re.search(r"\nbest: [^\n]*(\n  [^\n]*)*\n$", narrow),
           f"the last remark names the best:\n{narrow}")
    expect(max(map(len, narrow.splitlines())) <= 80, f"remarks fit, too:\n{narrow}")
    _, full = on_terminal(80, *ARGUMENTS, "--full")
    expect("promised by" in full, "--full shows all on any terminal")

    # A run of more than a second, and a quick one: each is reported once it has ended.
    slow = ["compare", "steepest-matching", "deal-agreement-2", "--network", "path:n=150",
            "--loads", "spike:tokens=2000000"]
    printed, seen = on_terminal(80, *slow, errors_too=True)
    expect([line.split(":")[0] for line in seen.splitlines()] == slow[1:3], f"line a run:\n{seen}")
    expect("promised by" in printed and "\x1b" not in printed, "standard output holds the table")
    _, quiet = on_terminal(80, *slow, "--quiet", errors_too=True)
    expect(quiet == "", "--quiet is quiet")

    with tempfile.TemporaryDirectory() as folder:
        printed, seen, status, moves = ended_by_ctrl_c(folder)
        expect("then interrupted" in printed, f"the best plan so far is printed:\n{printed}")
        expect("\r" in seen and "not level yet" in seen, f"how far the search is:\n{seen}")
        expect(status in (0, 1) and moves[0] == "wave,item,from,to" and len(moves) > 1,
               f"the best plan so far is written: {status}, {moves[:2]}")
        judged = subprocess.run([PROGRAM, "reassign", os.path.join(folder, "items.csv"), "--level",
                                 "cpu,ram", "--tolerance", "0", "--check",
                                 os.path.join(folder, "moves.csv")], check=False,
                                capture_output=True, text=True)
        expect(judged.returncode == status and "all allowed" in judged.stdout,
               f"it is whole: {judged.stdout}")
        interval = r"\n  steps +(between 5\d\d and [\d,]+|at least 5\d\d)  \(interrupted\)\n"
        for seconds in (3, 30):  # a busy machine may find little in the first ones
            printed, status, judged = plan_ended_by_ctrl_c(folder, seconds)
            if re.search(interval, printed):
                break
        expect(re.search(interval, printed), f"the interval so far is printed:\n{printed}")
        expect(status == 1 and judged.returncode == 0, f"and proved: {status}, {judged.stdout}")
        tight = plan_without_moves(folder)
        expect(re.search(r"\n  steps +\d+  \(no schedule is shorter\)\n", tight.stdout)
               and "not written" in tight.stdout, f"figures without moves:\n{tight.stdout}")
        needed = re.search(r"within memory, .*: expected more --memory \((\d+) MiB\)", tight.stderr)
        expect(tight.returncode == 2 and needed and 6 < int(needed.group(1)) < 2048,
               f"and why there are none: {tight.returncode}, {tight.stderr}")


if __name__ == "__main__":
    main()
