"""Stands between a program and the servers of a cluster, and cuts it off after a chosen command.

It has a port for each server, and rewrites addresses in what servers say of the cluster, so that
the program connects to these ports alone. Commands are counted by their kinds: "MIGRATE",
"CLUSTER NODES", "SETSLOT IMPORTING", "SETSLOT NODE at its target"; those before the first SETSLOT
have "reading" in front.
"""

import collections
import contextlib
import re
import socket
import threading

from live_cluster import HOST, packed

LARGEST = 1 << 18


class Command:
    def __init__(self, words, raw):
        self.words = words
        self.raw = raw  # as it was sent
        self.name = b" ".join(words[:2 if words[0] == b"CLUSTER" else 1]).decode()


def commands_in(buffer):
    """Each whole command, and what is left."""
    commands = []
    start = 0
    while True:
        words, end = command_at(buffer, start)
        if words is None:
            return commands, buffer[start:]
        commands.append(Command(words, buffer[start:end]))
        start = end


def command_at(buffer, start):
    end = buffer.find(b"\r\n", start)
    if end < 0:
        return None, start
    words = []
    at = end + 2
    for _ in range(int(buffer[start + 1:end])):
        end = buffer.find(b"\r\n", at)
        if end < 0:
            return None, start
        length = int(buffer[at + 1:end])
        at = end + 2 + length + 2
        if at > len(buffer):
            return None, start
        words.append(buffer[end + 2:at - 2])
    return words, at


def raw_reply(stream):
    """A reply as it came."""
    line = stream.readline()
    if not line.endswith(b"\r\n"):
        raise ConnectionError("the server hung up")
    if line[:1] == b"$" and int(line[1:]) >= 0:
        return line + stream.read(int(line[1:]) + 2)
    if line[:1] == b"*" and int(line[1:]) > 0:
        return line + b"".join(raw_reply(stream) for _ in range(int(line[1:])))
    return line


class CuttingProxy:
    """`cut` and `after` are called before the program starts. What an action of `after` raises ends
    up in `failures`."""

    def __init__(self, cluster):
        self.kinds = collections.Counter()
        self.has_been_cut = threading.Event()  # and the command that it was cut after was done
        self.change_migrate = None  # takes the words of a MIGRATE and returns them, changed
        self.change_nodes = None  # the same of the text of CLUSTER NODES
        self.failures = []
        self.slots_seen = set()  # that some SETSLOT was about
        self.ids = {server.port: server.id.encode() for server in cluster.servers}
        self.proxy_ports = {}
        self.real_ports = {}
        self._cut = None
        self._is_cut = False
        self._actions = {}
        # Commands that are passed on one by one, by their names.
        self._special = {"CLUSTER SETSLOT", "CLUSTER NODES", "MIGRATE"}
        self._has_moved = False
        self._migrating = set()  # (port, slot)
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._sockets = []
        for server in cluster.servers:
            self._listen(server.port)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._over.set()
        for each in self._sockets:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def cut(self, kind, number=1):
        """Passes the `number`-th command of a kind on, and nothing after it."""
        self._cut = (kind, number)
        self._special.add(kind.removeprefix("reading "))

    def after(self, kind, number, action):
        """Calls action(port, words) when that command was done, before the program knows."""
        self._actions[kind, number] = action
        self._special.add(kind.removeprefix("reading "))

    def name_of(self, server):
        """What the program calls a server."""
        return f"{HOST}:{self.proxy_ports[server.port]}"

    def _listen(self, port):
        listener = socket.create_server((HOST, 0))
        self._sockets.append(listener)
        proxy_port = listener.getsockname()[1]
        self.proxy_ports[port] = proxy_port
        self.real_ports[proxy_port] = port
        threading.Thread(target=self._accept, args=(listener, port), daemon=True).start()

    def _accept(self, listener, port):
        while not self._over.is_set():
            try:
                program = listener.accept()[0]
            except OSError:
                return
            self._sockets.append(program)
            threading.Thread(target=self._serve, args=(program, port), daemon=True).start()

    def _serve(self, program, port):
        try:
            with program, socket.create_connection((HOST, port)) as server:
                for each in (program, server):
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._pass_all(program, server, port)
        except OSError:
            pass

    def _pass_all(self, program, server, port):
        stream = server.makefile("rb")
        buffer = b""
        while some := program.recv(LARGEST):
            commands, buffer = commands_in(buffer + some)
            while commands:
                count = self._together(commands)
                kind, number, is_last = self._send(commands[:count], server, port)
                replies = [raw_reply(stream) for _ in range(count)]
                if is_last:
                    self.has_been_cut.set()
                    self._end()
                self._act(kind, number, port, commands[0].words)
                if kind.endswith("CLUSTER NODES"):
                    replies[0] = self._rewritten(replies[0])
                program.sendall(b"".join(replies))
                del commands[:count]

    def _together(self, commands):
        """How many of the commands can be passed on in one go: those for which nothing is to be
        done, or one for which something is."""
        for at, command in enumerate(commands):
            if command.name in self._special:
                return max(at, 1)
        return len(commands)

    def _kind_of(self, command, port):
        if command.name != "CLUSTER SETSLOT":
            return command.name if self._has_moved else f"reading {command.name}"
        slot, what = command.words[2:4]
        if what != b"NODE":
            return f"SETSLOT {what.decode()}"
        if command.words[4] == self.ids[port]:
            return "SETSLOT NODE at its target"
        if (port, slot) in self._migrating:
            return "SETSLOT NODE at its source"
        return "SETSLOT NODE at another"

    def _send(self, commands, server, port):
        """Returns the kind of the last one, how many of that kind there were with it, and whether
        the program is cut off after it."""
        with self._lock:
            if self._is_cut:
                self._end()
            for command in commands:
                kind = self._kind_of(command, port)
                self.kinds[kind] += 1
            if kind.startswith("SETSLOT"):
                self._has_moved = True
                self.slots_seen.add(int(command.words[2]))
            if kind == "SETSLOT MIGRATING":
                self._migrating.add((port, command.words[2]))
            server.sendall(self._changed(command) if len(commands) == 1
                           else b"".join([each.raw for each in commands]))
            self._is_cut = bool(self._cut and len(commands) == 1 and kind == self._cut[0]
                                and self.kinds[kind] >= self._cut[1])
            return kind, self.kinds[kind], self._is_cut

    def _changed(self, command):
        if command.name != "MIGRATE":
            return command.raw
        words = [*command.words]
        words[2] = b"%d" % self.real_ports[int(words[2])]
        return packed(self.change_migrate(words) if self.change_migrate else words)

    def _rewritten(self, reply):
        """A reply to CLUSTER NODES with the ports of the proxy."""
        if not reply.startswith(b"$"):
            return reply
        text = reply[reply.index(b"\r\n") + 2:-2].decode()
        if self.change_nodes:
            text = self.change_nodes(text)
        text = re.sub(rf"({re.escape(HOST)}):(\d+)@",
                      lambda found: f"{found[1]}:{self.proxy_ports[int(found[2])]}@", text)
        return b"$%d\r\n%b\r\n" % (len(text), text.encode())

    def _act(self, kind, number, port, words):
        for due in [due for due in self._actions if due[0] == kind and due[1] <= number]:
            try:
                self._actions.pop(due)(port, words)
            except Exception as error:  # a thread must not keep it for itself
                self.failures.append(error)

    def _end(self):
        """Nothing is passed on any more, and connections stay as they are, so that the program
        cannot tell before it is killed."""
        self._over.wait()
        raise ConnectionError("it was cut off")
