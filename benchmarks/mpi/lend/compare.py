#!/usr/bin/env python3
"""Runs the model of day and night on 8 and on 16 ranks.

usage: compare.py PROGRAM [--sweeps N]
"""

import argparse
import os
import subprocess
import sys

# Ranks may outnumber processors, and containers run as root without a remote shell.
ENVIRONMENT = os.environ | {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
    "OMPI_MCA_plm": "isolated",
}
COLUMNS = 4000  # on all ranks together


def main():
    parser = argparse.ArgumentParser(description="Runs the model of day and night.")
    parser.add_argument("program")
    parser.add_argument("--sweeps", type=int, default=40)
    arguments = parser.parse_args()
    for ranks in (8, 16):
        print(f"{ranks} ranks", flush=True)
        subprocess.run(["mpirun", "-n", str(ranks), arguments.program, str(COLUMNS // ranks),
                        str(arguments.sweeps)], env=ENVIRONMENT, check=True)


if __name__ == "__main__":
    sys.exit(main())
