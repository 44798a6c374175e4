"""Servers of a Redis Cluster on this machine, whose files can be kept and restored."""

import binascii
import itertools
import os
import pathlib
import shutil
import socket
import subprocess
import time

SLOTS = 16384
PATIENCE = 60  # seconds
# Neither logs nor snapshots of their own, which would run beside what is measured.
SETTINGS = ("bind 127.0.0.1", 'save ""', "appendonly no", "rdbcompression no", "protected-mode no")
OF_CLUSTERS = ("cluster-enabled yes", "cluster-config-file nodes.conf",
               "cluster-node-timeout 5000")


def missing():
    """Why no cluster can be started here; empty if one can."""
    lacking = [name for name in ("redis-server", "redis-cli") if shutil.which(name) is None]
    return f"{' and '.join(lacking)} not found" if lacking else ""


def tags_of_slots():
    """For each slot a word that, in braces in a key, puts the key there."""
    tags = [None] * SLOTS
    left = SLOTS
    for number in itertools.count():
        tag = b"%x" % number
        slot = binascii.crc_hqx(tag, 0) % SLOTS
        if tags[slot] is None:
            tags[slot] = tag
            left -= 1
            if left == 0:
                return tags


class Server:
    """One server and a connection to it."""

    def __init__(self, folder, port, settings=SETTINGS):
        self.folder = pathlib.Path(folder)
        self.port = port
        self.settings = settings
        self.process = None
        self.socket = self.replies = None

    def start(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "redis.conf").write_text(
            "\n".join((f"port {self.port}", f"dir {self.folder}", *self.settings)) + "\n")
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["redis-server", str(self.folder / "redis.conf")],
                                            stdout=log, stderr=log)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.connect()
                if not isinstance(self.ask(b"DBSIZE"), Exception):
                    return
            except OSError:
                if time.monotonic() > end or self.process.poll() is not None:
                    raise
            self.disconnect()
            if time.monotonic() > end:
                raise TimeoutError(f"the server at port {self.port} does not load its keys")
            time.sleep(0.05)

    def stop(self):
        self.disconnect()
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.replies = self.socket.makefile("rb")

    def disconnect(self):
        if self.socket is not None:
            self.replies.close()
            self.socket.close()
            self.socket = None

    def ask(self, *words):
        return next(self.ask_all([words]))

    def ask_all(self, commands):
        """The replies to commands, which are sent some hundreds at a time. Errors are replies."""
        commands = iter(commands)
        while some := list(itertools.islice(commands, 500)):
            text = bytearray()
            for words in some:
                text += b"*%d\r\n" % len(words)
                for word in words:
                    text += b"$%d\r\n%b\r\n" % (len(word), word)
            self.socket.sendall(text)
            for _ in some:
                yield self.reply()

    def reply(self):
        line = self.replies.readline()
        if not line.endswith(b"\r\n"):
            raise ConnectionError(f"the server at port {self.port} hung up")
        kind, rest = line[:1], line[1:-2]
        if kind == b"+":
            return rest
        if kind == b"-":
            return RuntimeError(rest.decode())
        if kind == b":":
            return int(rest)
        if kind == b"$":
            return None if rest == b"-1" else self.replies.read(int(rest) + 2)[:-2]
        return [self.reply() for _ in range(int(rest))]

    def node(self):
        """Its line of CLUSTER NODES, in words: with its slots, and those that are open."""
        lines = self.ask(b"CLUSTER", b"NODES").decode().splitlines()
        return next(line.split() for line in lines if "myself" in line)


class Cluster:
    """Servers with ports from `port` on; they are killed in the end."""

    def __init__(self, folder, port, count):
        self.folder = pathlib.Path(folder)
        self.kept = self.folder / "kept"
        self.ports = list(range(port, port + count))
        self.servers = [Server(self.folder / "live" / str(each), each, SETTINGS + OF_CLUSTERS)
                        for each in self.ports]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        for server in self.servers:
            server.start()

    def stop(self):
        for server in self.servers:
            server.stop()

    def create(self, masters):
        """Starts all; the first ones share the slots, the others join without any."""
        self.start()
        addresses = [f"127.0.0.1:{port}" for port in self.ports]
        subprocess.run(["redis-cli", "--cluster", "create", *addresses[:masters],
                        "--cluster-replicas", "0", "--cluster-yes"],
                       check=True, stdout=subprocess.DEVNULL)
        for server in self.servers[masters:]:
            server.ask(b"CLUSTER", b"MEET", b"127.0.0.1", b"%d" % self.ports[0])
        self.wait_until_well()

    def keep(self):
        """Keeps the files of all servers as they are now, and stops them."""
        for server in self.servers:
            if server.ask(b"SAVE") != b"OK":
                raise RuntimeError(f"the server at port {server.port} cannot save")
        self.stop()
        shutil.copytree(self.folder / "live", self.kept)

    def restore(self):
        """Starts all servers with the files that were kept."""
        self.stop()
        shutil.rmtree(self.folder / "live")
        shutil.copytree(self.kept, self.folder / "live")
        # What is not yet written would be written beside what is measured.
        os.sync()
        self.start()
        self.wait_until_well()

    def wait_until_well(self):
        """Until every server knows all others and says that the cluster is well."""
        end = time.monotonic() + PATIENCE
        while not all(self.is_well(server) for server in self.servers):
            if time.monotonic() > end:
                raise TimeoutError("the cluster does not get well")
            time.sleep(0.1)

    def is_well(self, server):
        info = server.ask(b"CLUSTER", b"INFO").decode()
        nodes = server.ask(b"CLUSTER", b"NODES").decode().splitlines()
        ids = {line.split()[0] for line in nodes}
        epochs = [each.node()[6] for each in self.servers]
        return ("cluster_state:ok" in info and len(ids) == len(self.servers)
                and "handshake" not in str(nodes) and "fail" not in str(nodes)
                and len(set(epochs)) == len(epochs))

    def owners(self):
        """The port of each slot's owner, as the owners themselves say."""
        owners = [None] * SLOTS
        for server in self.servers:
            for words in server.node()[8:]:
                if not words.startswith("["):
                    first, _, last = words.partition("-")
                    for slot in range(int(first), int(last or first) + 1):
                        owners[slot] = server.port
        return owners

    def slots_by_server(self):
        owners = self.owners()
        return {server: [slot for slot in range(SLOTS) if owners[slot] == server.port]
                for server in self.servers}

    def has_open_slots(self):
        return any(words.startswith("[") for server in self.servers
                   for words in server.node()[8:])
