#!/usr/bin/env python3
"""Checks the messages of commits since this check exists: a subject of at most 72 characters, a
blank line, and a body that says why, unless the commit changes a few lines only.

usage: check_commits.py
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SUBJECT_MAX = 72
TRIVIAL_LINES = 20
# Commits that were published before somebody looked at their messages.
PUBLISHED = {"5aa02994"}


def faults(message, lines):
    """What is wrong with the message of a commit that changes this many lines."""
    subject, _, rest = message.partition("\n")
    found = []
    if len(subject) > SUBJECT_MAX:
        found.append(f"the subject has {len(subject)} characters, more than {SUBJECT_MAX}")
    if rest.strip() and not rest.startswith("\n"):
        found.append("expected a blank line after the subject")
    if not rest.strip() and lines > TRIVIAL_LINES:
        found.append(f"{lines} lines are changed: expected a body that says why")
    return found


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True,
                          check=True).stdout


def changed_lines(commit):
    """Lines added and removed; those of binary files, which git shows as `-`, do not count."""
    lines = git("show", "--format=", "--numstat", commit).splitlines()
    return sum(int(count) for line in lines for count in line.split("\t")[:2] if count.isdigit())


def main():
    since = git("log", "--diff-filter=A", "--format=%H", "--", "tools/check_commits.py").split()
    commits = git("rev-list", "--no-merges", f"{since[-1]}..HEAD").split() if since else []
    status = 0
    for commit in commits:
        message = git("show", "-s", "--format=%B", commit)
        if commit[:8] in PUBLISHED:
            continue
        for fault in faults(message, changed_lines(commit)):
            print(f"{commit[:8]} {message.splitlines()[0]}: {fault}")
            status = 1
    print(f"{len(commits)} messages of commits looked at")
    return status


if __name__ == "__main__":
    sys.exit(main())
