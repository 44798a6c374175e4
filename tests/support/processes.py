"""What tests with other projects' servers share: ports, and children that do not outlive a test."""

import contextlib
import ctypes
import itertools
import random
import signal
import socket
import sys

HOST = "127.0.0.1"
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def die_with_parent():
    """Called in a child: it is killed when this process ends, however that ends."""
    if sys.platform == "linux":
        LIBC.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def free_ports(count, also=()):
    """Ports that are free, and so are those that lie `also` above; all below those that the system
    gives to others."""
    found = []
    for port in itertools.islice(itertools.count(random.SystemRandom().randrange(11000, 20000)),
                                 2000):
        with contextlib.ExitStack() as opened:
            try:
                for each in (port, *(port + above for above in also)):
                    one = opened.enter_context(socket.socket())
                    one.bind((HOST, each))
            except OSError:
                continue
            found.append(port)
        if len(found) == count:
            return found
    raise OSError("no free ports")
