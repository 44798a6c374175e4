"""A site of a fleet: its server of NATS, its agent, and workers of its queue."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

from acknowledgements import Acknowledgements, ConsumerState
from nats_client import NatsClient, NatsError
from processes import HOST, die_with_parent, free_ports

PATIENCE = 30  # seconds that a server gets to start
ACCOUNT = "$G"  # of servers without accounts of their own


class Site:
    """What runs beside each other on one machine. All processes can be killed and started again;
    their files stay."""

    def __init__(self, fleet, name, port, store_max):
        self.fleet = fleet
        self.name = name
        self.port = port
        self.folder = fleet.folder / name
        self.folder.mkdir()
        self.server = None
        self.agent = None
        self.worker = None
        self.server_started = 0.0
        self.was_killed = False  # the server, at any time
        self.acknowledgements = Acknowledgements(fleet.stream, fleet.consumer)
        self.agent_options = []
        self.agent_environment = {}
        self._client = None
        self._taken = 0  # bytes of the workers' log that were read
        self.configuration = self.folder / "nats.conf"
        self.configuration.write_text(
            f"listen: {HOST}:{port}\nserver_name: {name}\n"
            f"jetstream {{ store_dir: \"{self.folder}/store\"\n"
            f"  max_mem: 64MB, max_file: {store_max} }}\n", encoding="utf-8")

    @property
    def url(self):
        return f"nats://{HOST}:{self.port}"

    @property
    def log(self):
        """Of the workers."""
        return self.folder / "worked"

    def start(self, words, log, **environment):
        with open(self.folder / log, "a", encoding="utf-8") as file:
            return subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL,
                                    stdout=file, stderr=file, preexec_fn=die_with_parent,
                                    cwd=self.folder, env={**os.environ, **environment})

    # The server.

    def start_server(self):
        """Returns before it listens."""
        self.server = self.start(["nats-server", "-c", self.configuration], "server.log")
        self.server_started = time.monotonic()

    def wait_until_up(self):
        """Until it takes requests to JetStream; from then on acknowledgements are counted."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.client.ask("INFO")
                self.acknowledgements.listen(self.port, **self.fleet.credentials)
                return
            except (OSError, NatsError) as error:
                self.disconnect()
                if time.monotonic() > end or self.server.poll() is not None:
                    raise TimeoutError(f"{self.name} does not start: {error}") from error
            time.sleep(0.01)

    def kill_server(self):
        """Returns how many acknowledgements it has forgotten."""
        end_at_once(self.server)
        self.server = None
        self.was_killed = True
        self.disconnect()
        return self.acknowledgements.count_forgotten(self.consumer_file, self.kept_of)

    def restart_server(self, between=lambda: None):
        """As an administrator does, who lets it end well."""
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(PATIENCE)
        self.disconnect()
        between()
        self.start_server()
        self.wait_until_up()

    def kept_of(self, sequences):
        """Those that a server finds in the files of one that was killed: asked of a server of its
        own, on a copy, so that nobody changes them meanwhile."""
        if not sequences:
            return set()
        copy = self.folder / "copy"
        shutil.copytree(self.folder / "store", copy)
        port = free_ports(1)[0]
        server = self.start(["nats-server", "-a", HOST, "-p", port, "-js", "-sd", copy], "copy.log")
        try:
            with until_up(port, server) as client:
                return {each for each in sequences if self.has_message(client, each)}
        finally:
            end_at_once(server)
            shutil.rmtree(copy)

    def has_message(self, client, sequence):
        """Asked one by one: the list of what was deleted from a stream leaves whole blocks out."""
        try:
            client.ask(f"STREAM.MSG.GET.{self.fleet.stream}", seq=sequence)
        except NatsError as error:
            if "no message found" not in str(error):
                raise
            return False
        return True

    @property
    def consumer_file(self):
        """In which the server keeps the state of the consumer."""
        return (self.folder / "store" / "jetstream" / ACCOUNT / "streams" / self.fleet.stream
                / "obs" / self.fleet.consumer / "o.dat")

    @property
    def client(self):
        if self._client is None or self._client.is_over.is_set():
            self._client = NatsClient(self.port, **self.fleet.credentials)
        return self._client

    def disconnect(self):
        if self._client:
            self._client.close()
            self._client = None

    # The queue.

    def make_queue(self, ack_wait, duplicates=120, consumer=None):
        """As an administrator would who wants other times (seconds) than the agent's; `consumer`:
        more of its settings."""
        self.client.ask(f"STREAM.CREATE.{self.fleet.stream}", name=self.fleet.stream,
                        subjects=["jobs.>"], retention="workqueue", storage="file",
                        max_consumers=-1, max_msgs=-1, max_bytes=-1, max_age=0, num_replicas=1,
                        discard="old", duplicate_window=int(duplicates * 1e9))
        self.client.ask(f"CONSUMER.DURABLE.CREATE.{self.fleet.stream}.{self.fleet.consumer}",
                        stream_name=self.fleet.stream,
                        config={"durable_name": self.fleet.consumer, "ack_policy": "explicit",
                                "deliver_policy": "all", "replay_policy": "instant",
                                "ack_wait": int(ack_wait * 1e9), "max_ack_pending": -1,
                                **(consumer or {})})

    def pending_on_disk(self):
        """The numbers of the jobs that somebody has, as the server last wrote them."""
        return ConsumerState(self.consumer_file).pending

    def backlog(self, with_ghosts=False):
        """Jobs that the site has, those given to somebody among them."""
        found = self.client.ask(f"CONSUMER.INFO.{self.fleet.stream}.{self.fleet.consumer}")
        taken = found["num_ack_pending"]
        ghosts = 0 if with_ghosts else min(taken, self.ghosts())
        return found["num_pending"] + taken - ghosts

    def untouchable(self, most=4):
        """Jobs that a server which was killed counts as taken, though the agent does not have them
        and, while nobody works, no request gets them; at most `most` of them, ghosts aside."""
        found = self.client.ask(f"CONSUMER.INFO.{self.fleet.stream}.{self.fleet.consumer}")
        held = len(json.loads(self.held_file.read_text(encoding="utf-8"))["jobs"])
        return max(0, min(most, found["num_ack_pending"] - self.ghosts() - held))

    def ghosts(self):
        """Messages that the consumer waits for and the stream no longer has: when the server was
        killed, it had written that they were removed, but not that they were acknowledged. At most:
        what was acknowledged last may not be in the file yet."""
        if not self.was_killed:
            return 0
        return sum(not self.has_message(self.client, sequence)
                   for sequence in self.pending_on_disk())

    def stored(self):
        """Messages of the stream, ghosts among them."""
        return self.client.ask(f"STREAM.INFO.{self.fleet.stream}")["state"]["messages"]

    # The agent.

    @property
    def held_file(self):
        """Names the jobs that it holds."""
        return self.folder / f"{self.name}.held"

    def start_agent(self):
        self.agent = self.start(
            [self.fleet.program, "agent", "--fleet", self.fleet.file, "--name", self.name,
             "--state", self.folder, "--log", self.folder / "agent.json", *self.agent_options],
            "agent.log", **self.agent_environment)

    def kill_agent(self):
        end_at_once(self.agent)
        self.agent = None

    def agent_seconds(self):
        """Of processors, since the agent began."""
        fields = pathlib.Path(f"/proc/{self.agent.pid}/stat").read_text(encoding="utf-8")
        user, system = fields.rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")

    def has_failed(self):
        """Whether the agent has ended by itself, and not as if all were well."""
        return self.agent is not None and self.agent.poll() not in (None, 0)

    def end_agent(self, timeout=20):
        """As an administrator does. Returns its exit status."""
        self.agent.send_signal(signal.SIGTERM)
        status = self.agent.wait(timeout)
        self.agent = None
        return status

    def events(self):
        """The agent's log; a kill may have left a line half written."""
        try:
            lines = (self.folder / "agent.json").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        found = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except json.JSONDecodeError:
                continue
        return found

    # Workers.

    def start_worker(self, rate=0, batch=8):
        self.worker = self.start(
            [self.fleet.jobs, "work", "--server", self.url, "--stream", self.fleet.stream,
             "--consumer", self.fleet.consumer, "--rate", rate, "--batch", batch,
             "--log", self.log], "worker.log")

    def stop_worker(self):
        self.worker.send_signal(signal.SIGTERM)

    def wait_for_worker(self, timeout=20):
        self.worker.wait(timeout)
        self.worker = None

    def new_lines(self):
        """What workers have written since the last call."""
        if not self.log.exists():
            return []
        with open(self.log, encoding="utf-8") as file:
            file.seek(self._taken)
            text = file.read()
        whole = text[:text.rfind("\n") + 1]
        self._taken += len(whole)
        return [line.split() for line in whole.splitlines()]

    def close(self):
        for process in (self.worker, self.agent, self.server):
            if process is not None:
                end_at_once(process)
        self.acknowledgements.close()
        self.disconnect()

    def said(self, count=5):
        """The last lines of all logs, for a message."""
        found = []
        for name in ("server.log", "agent.log", "agent.json", "worker.log"):
            file = self.folder / name
            if file.exists():
                lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
                found += [f"{self.name}/{name}: {line}" for line in lines[-count:]]
        return "\n".join(found)


def until_up(port, server):
    """A client of a server that was just started."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            client = NatsClient(port)
            client.ask("INFO")
            return client
        except (OSError, NatsError) as error:
            if time.monotonic() > end or server.poll() is not None:
                raise TimeoutError(f"a server on a copy does not start: {error}") from error
        time.sleep(0.01)


def end_at_once(process):
    process.kill()
    process.wait()
