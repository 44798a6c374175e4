"""A client of NATS in a few lines: the text protocol, headers, requests; one thread that reads."""

import itertools
import json
import socket
import ssl
import threading

from processes import HOST


class NatsError(Exception):
    """What a server says in place of an answer, or that none came."""


class Message:
    def __init__(self, subject, reply, data, headers):
        self.subject = subject
        self.reply = reply
        self.data = data
        self.headers = headers  # as they were sent: b"NATS/1.0\r\n..."


class NatsClient:
    """A connection, which is not opened again when it is lost. `ca`: a file of certificates, for
    TLS; `options`: for CONNECT, such as user and pass. What the server complains of is kept in
    `errors`."""

    def __init__(self, port, timeout=5, host=HOST, ca=None, **options):
        self.errors = []
        self.is_over = threading.Event()
        self._calls = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._answered = threading.Event()
        self._is_let_in = False
        self._thread = None
        self._socket = socket.create_connection((host, port), timeout=timeout)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._stream = None
        try:
            self._greet(host, ca)
        except (OSError, NatsError):
            self.close()
            raise
        self._send(b"CONNECT %s\r\nPING\r\n" % json.dumps(
            {"verbose": False, "pedantic": False, "headers": True, "no_responders": True,
             **options}).encode())
        self._socket.settimeout(None)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()
        if not self._answered.wait(timeout) or self.errors:
            self.close()
            raise NatsError(f"{host}:{port}: {self.errors or 'no answer'}")
        self._is_let_in = True

    def _greet(self, host, ca):
        """The server says INFO in the clear; nothing follows until it has an answer."""
        line = b""
        while not line.endswith(b"\n"):
            if not (some := self._socket.recv(1)):
                raise NatsError(f"{host} hung up")
            line += some
        if not line.startswith(b"INFO "):
            raise NatsError(f"{host} does not speak NATS")
        if ca:
            self._socket = ssl.create_default_context(cafile=ca).wrap_socket(
                self._socket, server_hostname=host)
        self._stream = self._socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        try:
            self._socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()
        if self._stream is not None:
            self._stream.close()
        self._socket.close()

    def wait_until_over(self, timeout=5):
        """Until everything was read that a server sent before it was killed."""
        self.is_over.wait(timeout)

    def publish(self, subject, data=b"", reply="", headers=None):
        if headers is None:
            self._send(b"PUB %b %b %d\r\n%b\r\n" % (subject.encode(), reply.encode(), len(data),
                                                   data))
            return
        head = b"NATS/1.0\r\n" + b"".join(
            f"{name}: {value}\r\n".encode() for name, value in headers.items()) + b"\r\n"
        self._send(b"HPUB %b %b %d %d\r\n%b%b\r\n" % (
            subject.encode(), reply.encode(), len(head), len(head) + len(data), head, data))

    def send_raw(self, data):
        self._send(data)

    def subscribe(self, subject, call):
        """Calls call(message) in the thread that reads. Returns the number of the subscription."""
        number = next(self._numbers)
        self._calls[number] = call
        self._send(b"SUB %b %d\r\n" % (subject.encode(), number))
        return number

    def unsubscribe(self, number):
        self._send(b"UNSUB %d\r\n" % number)
        self._calls.pop(number, None)

    def flush(self, timeout=5):
        """Until the server has taken everything that was sent."""
        self._answered.clear()
        self._send(b"PING\r\n")
        if not self._answered.wait(timeout):
            raise NatsError("no answer to PING")

    def request(self, subject, data=b"", timeout=5, headers=None):
        """The data of the first answer."""
        inbox = f"_INBOX.{id(self)}.{next(self._numbers)}"
        came = threading.Event()
        answers = []

        def note(message):
            answers.append(message)
            came.set()

        number = self.subscribe(inbox, note)
        try:
            self.publish(subject, data, inbox, headers)
            if not came.wait(timeout):
                raise NatsError(f"{subject}: no answer within {timeout} s")
        finally:
            self.unsubscribe(number)
        answer = answers[0]
        if answer.headers and b" 503" in answer.headers.split(b"\r\n")[0]:
            raise NatsError(f"{subject}: nobody answers")
        return answer.data

    def ask(self, call, timeout=5, **words):
        """A request to the interface of JetStream, such as STREAM.INFO.JOBS."""
        answer = json.loads(self.request(f"$JS.API.{call}", json.dumps(words).encode()
                                         if words else b"", timeout))
        if "error" in answer:
            raise NatsError(f"{call}: {answer['error'].get('description', answer['error'])}")
        return answer

    def _send(self, data):
        with self._lock:
            self._socket.sendall(data)

    def _read(self):
        try:
            while line := self._stream.readline():
                self._take(line)
        except (OSError, ValueError):
            pass
        finally:
            self.is_over.set()

    def _take(self, line):
        words = line.decode(errors="replace").split()
        if words[0] in ("MSG", "HMSG"):
            length = int(words[-1])
            head = int(words[-2]) if words[0] == "HMSG" else 0
            data = self._stream.read(length + 2)[:-2]
            reply = words[3] if len(words) > (4 if words[0] == "MSG" else 5) else ""
            call = self._calls.get(int(words[2]))
            if call:
                call(Message(words[1], reply, data[head:], data[:head]))
        elif words[0] == "PING":
            self._send(b"PONG\r\n")
        elif words[0] == "PONG":
            self._answered.set()
        elif words[0] == "-ERR":
            self.errors.append(line.decode(errors="replace").strip())
            if not self._is_let_in:  # later its PONG comes all the same
                self._answered.set()
