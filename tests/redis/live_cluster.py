"""Redis Clusters of servers on this machine, started and joined for tests; needs no redis-cli."""

import atexit
import binascii
import itertools
import pathlib
import re
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import HOST, die_with_parent, free_ports  # noqa: E402

SLOTS = 16384
PATIENCE = 60  # seconds that a cluster gets to be well


class ReplyError(Exception):
    """What a server answers in place of a reply."""


def slot_of(key):
    """The slot of a key: CRC16 of what is in its first braces, or of all of it."""
    key = as_bytes(key)
    start = key.find(b"{")
    if start >= 0:
        end = key.find(b"}", start + 1)
        if end > start + 1:
            key = key[start + 1:end]
    return binascii.crc_hqx(key, 0) % SLOTS


def as_bytes(word):
    return word if isinstance(word, bytes) else str(word).encode()


def packed(command):
    """A command as it is sent."""
    words = [as_bytes(word) for word in command]
    return b"*%d\r\n" % len(words) + b"".join(
        b"$%d\r\n%b\r\n" % (len(word), word) for word in words)


def read_reply(stream):
    """A reply; errors are returned as such. Raises ConnectionError where the stream ends."""
    line = stream.readline()
    if not line.endswith(b"\r\n"):
        raise ConnectionError("the server hung up")
    kind, rest = line[:1], line[1:-2]
    if kind == b"+":
        return rest
    if kind == b"-":
        return ReplyError(rest.decode())
    if kind == b":":
        return int(rest)
    if kind == b"$":
        if int(rest) < 0:
            return None
        text = stream.read(int(rest) + 2)
        if len(text) < int(rest) + 2:
            raise ConnectionError("the server hung up")
        return text[:-2]
    return None if int(rest) < 0 else [read_reply(stream) for _ in range(int(rest))]


class Connection:
    """To one server. Commands can be sent many at a time."""

    def __init__(self, port, timeout=PATIENCE):
        self.port = port
        self.socket = socket.create_connection((HOST, port), timeout=timeout)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.stream = self.socket.makefile("rb")

    def close(self):
        self.stream.close()
        self.socket.close()

    def replies(self, commands):
        """The replies to all commands, errors among them."""
        found = []
        commands = iter(commands)
        while some := list(itertools.islice(commands, 1000)):
            self.socket.sendall(b"".join(packed(command) for command in some))
            found.extend(read_reply(self.stream) for _ in some)
        return found

    def reply(self, *command):
        return self.replies([command])[0]

    def ask(self, *command):
        """The same, but raises errors."""
        reply = self.reply(*command)
        if isinstance(reply, ReplyError):
            words = " ".join(str(word) for word in command[:4])
            raise ReplyError(f"{HOST}:{self.port}: {words}: {reply}")
        return reply


class Node:
    """A line of CLUSTER NODES."""

    def __init__(self, line):
        words = line.split()
        self.id = words[0]
        self.port = int(re.search(r":(\d+)", words[1])[1])
        self.flags = words[2].split(",")
        self.master = words[3]
        self.epoch = int(words[6])
        self.ranges = [word for word in words[8:] if not word.startswith("[")]
        self.open = [word for word in words[8:] if word.startswith("[")]

    @property
    def is_master(self):
        return "master" in self.flags

    @property
    def is_well(self):
        return not {"fail", "fail?", "handshake", "noaddr"} & set(self.flags)

    def slots(self):
        for words in self.ranges:
            first, _, last = words.partition("-")
            yield from range(int(first), int(last or first) + 1)


def nodes_at(connection):
    return [Node(line) for line in connection.ask("CLUSTER", "NODES").decode().splitlines()]


class Server:
    """A server, and a connection to it that is opened when it is first used."""

    def __init__(self, folder, port, settings):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.port = port
        self.name = f"{HOST}:{port}"
        self.process = None
        self._connection = None
        lines = [f"port {port}", f"bind {HOST}", f"dir {self.folder}", "cluster-enabled yes",
                 "cluster-config-file nodes.conf", 'save ""',
                 *(f"{name} {value}" for name, value in settings.items())]
        (self.folder / "redis.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")

    def start(self):
        """Returns before it listens."""
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["redis-server", str(self.folder / "redis.conf")], stdin=subprocess.DEVNULL,
                stdout=log, stderr=log, preexec_fn=die_with_parent)

    def kill(self):
        self.disconnect()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def wait_until_up(self):
        """Until it listens and has read its files."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                if not isinstance(self.connection.reply("DBSIZE"), ReplyError):
                    return
            except OSError:
                self.disconnect()
            if time.monotonic() > end or self.process.poll() is not None:
                raise TimeoutError(f"{self.name} does not start: {self.log()}")
            time.sleep(0.02)

    def log(self):
        return (self.folder / "log").read_text(encoding="utf-8")[-1000:]

    @property
    def connection(self):
        if self._connection is None:
            self._connection = Connection(self.port)
        return self._connection

    def disconnect(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def ask(self, *command):
        return self.connection.ask(*command)

    def replies(self, commands):
        return self.connection.replies(commands)

    def itself(self):
        """Its own line of CLUSTER NODES, with its open slots."""
        return next(node for node in nodes_at(self.connection) if "myself" in node.flags)

    @property
    def id(self):
        return self.ask("CLUSTER", "MYID").decode()


class LiveCluster:
    """Servers that are masters, of which the first `filled` share the slots, and after them
    `replicas`, one for each of the first masters. All are killed in the end."""

    def __init__(self, masters, filled=None, replicas=0, node_timeout=2000, **settings):
        self.holder = tempfile.TemporaryDirectory(prefix="redis-test-")
        self.masters = masters
        self.node_timeout = node_timeout
        settings = {"appendonly": "no", "cluster-node-timeout": node_timeout,
                    **{name.replace("_", "-"): value for name, value in settings.items()}}
        self.servers = [Server(pathlib.Path(self.holder.name) / str(port), port, settings)
                        for port in free_ports(masters + replicas, also=(10000,))]
        atexit.register(self.close)
        for server in self.servers:
            server.start()
        for server in self.servers:
            server.wait_until_up()
        self.join(masters if filled is None else filled)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for server in self.servers:
            server.kill()
        self.holder.cleanup()
        atexit.unregister(self.close)

    @property
    def ports(self):
        return [server.port for server in self.servers]

    @property
    def url(self):
        return f"redis://{self.servers[0].name}"

    def join(self, filled):
        for epoch, server in enumerate(self.servers[:self.masters], start=1):
            server.ask("CLUSTER", "SET-CONFIG-EPOCH", epoch)
        for at, server in enumerate(self.servers[:filled]):
            server.ask("CLUSTER", "ADDSLOTSRANGE", SLOTS * at // filled,
                       SLOTS * (at + 1) // filled - 1)
        # Each meets each, so that nobody waits for gossip.
        for server, other in itertools.combinations(self.servers, 2):
            server.ask("CLUSTER", "MEET", HOST, other.port)
        self.wait_until(self.is_met)
        for at, server in enumerate(self.servers[self.masters:]):
            server.ask("CLUSTER", "REPLICATE", self.servers[at].id)
        self.wait_until_well()

    def start_anew(self, filled=None):
        """Forgets keys and cluster, and joins the servers again, as new ones."""
        for server in self.servers:
            server.replies([("FLUSHALL",), ("CLUSTER", "RESET", "HARD"), ("FLUSHALL",),
                            ("CONFIG", "SET", "cluster-node-timeout", 500)])
        # Masters that were alone for a moment wait as long before they take commands.
        self.join(self.masters if filled is None else filled)
        self.set("cluster-node-timeout", self.node_timeout)

    def set(self, name, value):
        for server in self.servers:
            server.ask("CONFIG", "SET", name, value)

    def wait_until(self, is_so):
        """`is_so` returns what is not yet so, or nothing."""
        end = time.monotonic() + PATIENCE
        while wrong := is_so():
            if time.monotonic() > end:
                raise TimeoutError(f"the cluster does not get well: {wrong}")
            time.sleep(0.02)

    def is_met(self):
        for server in self.servers:
            known = nodes_at(server.connection)
            if len(known) != len(self.servers) or not all(node.is_well for node in known):
                return f"{server.name} does not know all"
        return None

    def wait_until_well(self):
        self.wait_until(self.is_well)

    def is_well(self):
        """What is not well yet: all servers see the same, no two masters have the same epoch, and
        all take commands."""
        try:
            views = [nodes_at(server.connection) for server in self.servers]
            states = [server.ask("CLUSTER", "INFO") for server in self.servers]
            links = [server.ask("INFO", "replication") for server in self.servers]
        except (OSError, ReplyError) as error:
            for server in self.servers:
                server.disconnect()
            return str(error)
        if not all(node.is_well for view in views for node in view):
            return "a server is not well"
        seen = {tuple(sorted((node.id, node.is_master, node.epoch, *node.ranges)
                             for node in view)) for view in views}
        if len(seen) != 1 or len(views[0]) != len(self.servers):
            return "servers see different clusters"
        epochs = [node.epoch for node in views[0] if node.is_master]
        if len(set(epochs)) != len(epochs):
            return "epochs tie"
        if not all(b"cluster_state:ok" in state for state in states):
            return "a server takes no commands"
        if any(b"master_link_status:down" in link for link in links):
            return "a replica has no master"
        return None

    def masters_now(self):
        """The servers that are masters, as they say themselves."""
        return [server for server in self.servers if server.itself().is_master]

    def owners(self):
        """The server that holds each slot, as the owners say themselves."""
        owners = [None] * SLOTS
        for server in self.masters_now():
            for slot in server.itself().slots():
                owners[slot] = server
        return owners

    def slots(self):
        """How many slots each server holds."""
        return [sum(1 for _ in server.itself().slots()) for server in self.servers]

    def open_slots(self):
        """[name of a server, flag] of all slots that are open."""
        return [(server.name, words) for server in self.servers for words in server.itself().open]

    def bytes(self):
        """The sum of MEMORY USAGE of all keys, by server."""
        sums = []
        for server in self.servers:
            keys = server.ask("KEYS", "*")
            sums.append(sum(bytes_ or 0 for bytes_ in  # a key may be gone by now
                            server.replies([("MEMORY", "USAGE", key) for key in keys])))
        return sums

    def begin_move(self, slot, source, target):
        """Opens a slot at both ends, as the first commands of a move do."""
        target.ask("CLUSTER", "SETSLOT", slot, "IMPORTING", source.id)
        source.ask("CLUSTER", "SETSLOT", slot, "MIGRATING", target.id)

    def move(self, slot, source, target):
        """Moves a slot, as somebody else's tool would."""
        self.begin_move(slot, source, target)
        while keys := source.ask("CLUSTER", "GETKEYSINSLOT", slot, 100):
            source.ask("MIGRATE", HOST, target.port, "", 0, 5000, "KEYS", *keys)
        for server in sorted(self.masters_now(), key=lambda one: (one is not target,
                                                                  one is not source)):
            server.ask("CLUSTER", "SETSLOT", slot, "NODE", target.id)
