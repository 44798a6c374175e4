"""Errors that all ranks raise alike."""

import pytest
from mpi4py import MPI


def same_error(kind, act):
    """The text of an error that every rank raises."""
    with pytest.raises(kind) as raised:
        act()
    texts = MPI.COMM_WORLD.allgather(str(raised.value))
    assert len(set(texts)) == 1
    assert "\n" not in texts[0]
    return texts[0]
