"""What the tests of the package share."""

import os
import subprocess

import pytest


@pytest.fixture
def program(tmp_path):
    """Calls the command line in an empty folder; returns the finished process."""
    def call(*arguments):
        return subprocess.run([os.environ["EQUIPOISE_PROGRAM"], *map(str, arguments)], cwd=tmp_path,
                              capture_output=True, text=True, timeout=60)
    return call
