"""RabbitMQ nodes whose queues of one name are federated over the links of a fleet."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pika
import pika.exceptions

SERVER = "/usr/lib/rabbitmq/bin/rabbitmq-server"
HOST = "127.0.0.1"
QUEUE = "jobs"
PATIENCE = 120  # seconds that all nodes get to start


class RabbitFleet:
    """A node for each site; each is upstream of its neighbours, in both directions of a link. A
    federated queue asks its upstreams for jobs when its own workers want more than it has."""

    def __init__(self, folder, links, ports):
        self.ports = ports
        self.folder = pathlib.Path(folder)
        self.environment = {**os.environ, "HOME": str(self.folder),
                            "ERL_EPMD_PORT": str(ports[-1] + 1),
                            "ERL_EPMD_ADDRESS": HOST}
        self.processes = [self._start(at, links) for at in range(len(ports))]
        end = time.monotonic() + PATIENCE
        for at in range(len(ports)):
            while True:
                try:
                    self.connection(at).close()
                    break
                except (OSError, pika.exceptions.AMQPError) as error:
                    if time.monotonic() > end:
                        raise TimeoutError(f"node {at} does not start: {error!r}") from error
                    time.sleep(0.5)

    def _start(self, at, links):
        folder = self.folder / str(at)
        folder.mkdir()
        neighbours = [b if a == at else a for a, b in links if at in (a, b)]
        definitions = {
            "vhosts": [{"name": "/"}],
            "users": [{"name": "guest", "password": "guest", "tags": "administrator"}],
            "permissions": [{"user": "guest", "vhost": "/", "configure": ".*", "write": ".*",
                             "read": ".*"}],
            "queues": [{"name": QUEUE, "vhost": "/", "durable": True, "auto_delete": False,
                        "arguments": {}}],
            "parameters": [{"component": "federation-upstream", "name": f"from{other}",
                            "vhost": "/", "value": {
                                "uri": f"amqp://guest:guest@{HOST}:{self.ports[other]}",
                                "ack-mode": "on-confirm"}} for other in neighbours],
            "policies": [{"name": "federated", "vhost": "/", "pattern": f"^{QUEUE}$",
                          "apply-to": "queues", "priority": 0,
                          "definition": {"federation-upstream-set": "all"}}]}
        (folder / "definitions.json").write_text(json.dumps(definitions), encoding="utf-8")
        (folder / "rabbitmq.conf").write_text(
            f"listeners.tcp.1 = {HOST}:{self.ports[at]}\nload_definitions = "
            f"{folder}/definitions.json\nloopback_users = none\n", encoding="utf-8")
        (folder / "plugins").write_text("[rabbitmq_federation].\n", encoding="utf-8")
        log = open(folder / "out", "w", encoding="utf-8")
        with log:
            return subprocess.Popen(
                [SERVER], stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True,
                env={**self.environment, "RABBITMQ_NODENAME": f"site{at}@localhost",
                     "RABBITMQ_NODE_PORT": str(self.ports[at]),
                     "RABBITMQ_DIST_PORT": str(self.ports[at] + 1000),
                     "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
                     "RABBITMQ_LOG_BASE": str(folder),
                     "RABBITMQ_CONFIG_FILE": str(folder / "rabbitmq.conf"),
                     "RABBITMQ_ENABLED_PLUGINS_FILE": str(folder / "plugins"),
                     "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+S 2:2 +sbwt none"})

    def connection(self, at):
        return pika.BlockingConnection(pika.ConnectionParameters(HOST, self.ports[at]))

    def put(self, at, first, count, size=0):
        """Durable jobs. Returns when the last one is stored, and so all before."""
        with self.connection(at) as connection:
            channel = connection.channel()
            for number in range(first, first + count):
                if number == first + count - 1:
                    channel.confirm_delivery()
                channel.basic_publish("", QUEUE, str(number).encode().ljust(size),
                                      pika.BasicProperties(delivery_mode=2))

    def backlogs(self):
        found = []
        for at in range(len(self.ports)):
            with self.connection(at) as connection:
                found.append(connection.channel().queue_declare(
                    QUEUE, passive=True).method.message_count)
        return found

    def close(self):
        for process in self.processes:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()
        epmd = shutil.which("epmd")
        if epmd:  # which stays otherwise, and refuses while it still knows a node
            time.sleep(0.5)
            subprocess.run([epmd, "-kill"], env=self.environment, capture_output=True, check=False)


def work(port, rate, prefetch, done):
    """A worker, for ever: tells the number of each job that it has done and acknowledged."""
    connection = pika.BlockingConnection(pika.ConnectionParameters(HOST, port))
    channel = connection.channel()
    channel.basic_qos(prefetch_count=prefetch)
    due = time.monotonic()
    for method, _, body in channel.consume(QUEUE):
        if rate > 0:
            due = max(due, time.monotonic() - 0.2) + 1 / rate
            time.sleep(max(0, due - time.monotonic()))
        channel.basic_ack(method.delivery_tag)
        done.put(int(body))
