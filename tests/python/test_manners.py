"""Long calls can be ended, let others work, and show how far they are."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import equipoise

LONG = {"network": "cycle:n=200000", "loads": "spike:tokens=100000000", "record_level": "summary"}


def test_control_c_ends_a_run_and_raises_keyboard_interrupt():
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        equipoise.run("threshold-1", **LONG)
    assert time.monotonic() - begin < 20


def test_other_threads_work_while_a_run_goes_on():
    counted = []

    def count():
        for _ in range(20):
            time.sleep(0.01)
            counted.append(time.monotonic())

    other = threading.Thread(target=count)
    begin = time.monotonic()
    other.start()
    equipoise.run("threshold-1", **LONG, max_steps=1500)
    end = time.monotonic()
    other.join()
    if end - begin > 1:  # otherwise the run was too short to tell
        assert counted[-1] < end


def test_progress_is_shown(capsys):
    equipoise.run("threshold-1", **LONG, max_steps=3000, progress=True)
    assert "steps" in capsys.readouterr().err


def test_several_runs_at_once_do_not_disturb_each_other():
    alone = equipoise.run("threshold-2", network="torus:16x16", loads="spike:tokens=5000").record
    found = []
    threads = [threading.Thread(target=lambda: found.append(equipoise.run(
        "threshold-2", network="torus:16x16", loads="spike:tokens=5000").record))
        for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    for record in found:
        assert record["final_loads"] == alone["final_loads"]


def test_importing_needs_numpy_only_and_less_time_than_numpy():
    code = ("import time; start = time.perf_counter(); import numpy; "
            "begin = time.perf_counter(); import equipoise, sys; "
            "print((time.perf_counter() - begin) / (begin - start), "
            "*(set(sys.modules) & {'networkx', 'scipy', 'pandas', 'matplotlib', 'tqdm'}))")
    ratios = []
    for _ in range(5):
        ratio, *others = subprocess.run([sys.executable, "-c", code], capture_output=True,
                                        text=True, check=True).stdout.split()
        assert not others
        ratios.append(float(ratio))
    assert min(ratios) <= 1
