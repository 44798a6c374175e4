#!/usr/bin/env python3
"""Fleets of agents beside what is used today: RabbitMQ's federated queues, and copies of streams.

usage: /usr/bin/python3 compare.py [--program build/bin/equipoise] [--jobs build/bin/agent_jobs]
       [--count 4000] [--rate 100] [--size 1024] [--repeat 3] [--only PART...]

Jobs are put at one site. Measured, in turn, medians over the repetitions:

  work   rings of three and nine sites, a worker at each that does --rate jobs a second: seconds
         until all are done, as a multiple of what is possible if nothing takes time but the jobs;
         by agents, and by federated queues, which move jobs to where workers ask for them
  level  seconds until neighbours differ by at most one job while nobody works, moves and messages
         a job; by agents, and as the simulation of the same program predicts, whose ticks count as
         the agents' shortest; federated queues move nothing then
  link   jobs a second over one link, from the first that is put to the last that arrives: by
         agents and by federated queues to a worker that needs no time, half of the jobs by agents
         that level two sites, and a stream that NATS itself copies to another server (a source)

A run ends when each job has arrived. Federated queues need rabbitmq-server and python3-pika.
"""

import argparse
import json
import multiprocessing
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "agent"))
sys.path.insert(0, str(ROOT / "tests" / "support"))
import rabbit  # noqa: E402
from fleet import Fleet, path, ring  # noqa: E402
from nats_client import NatsClient  # noqa: E402
from processes import HOST, die_with_parent, free_ports  # noqa: E402

PATIENCE = 600  # seconds for one run
PREFETCH = 8  # jobs that a worker has at once
BATCH = 1000  # jobs that an agent offers at a time
TICK = 0.002  # seconds of an agent's shortest tick


class Agents:
    name = "agents"

    def __init__(self, options, links):
        self.options = options
        self.fleet = Fleet(options.program, options.jobs, links, has_proxies=False)
        self.fleet.make_queues(30)
        self.fleet.start_agents()
        self.fleet.wait_until(lambda: all(site["alive"] for site in self.fleet.status()["sites"]),
                              30, "agents")

    def put(self, count):
        self.fleet.put(self.fleet.sites[0], 1, count, at_once=256, size=self.options.size)

    def work(self, sites, rate, count):
        """Where not all work, a job may stay at each of the others: that is level."""
        for at in sites:
            self.fleet.sites[at].start_worker(rate, PREFETCH)
        idle = len(self.fleet.sites) - len(sites)
        self.fleet.wait_until(lambda: self.fleet.look() or len(self.fleet.worked) >= count - idle,
                              PATIENCE, "all jobs worked off")

    def level(self, count):
        return self.fleet.wait_until_level(PATIENCE, count)[0]

    def moved(self):
        return self.fleet.status()["moved"]

    def messages(self):
        return sum(site["messages_sent"] for site in self.fleet.status()["sites"])

    def close(self):
        self.fleet.close()


class Federation:
    name = "federated queues"

    def __init__(self, options, links):
        self.options = options
        self.holder = tempfile.TemporaryDirectory(prefix="rabbit-")
        self.count = 1 + max(max(link) for link in links)
        self.workers = []
        self.done = multiprocessing.Queue()
        self.fleet = rabbit.RabbitFleet(self.holder.name, links,
                                        free_ports(self.count, also=(1000,)))

    def put(self, count):
        self.fleet.put(0, 1, count, self.options.size)

    def work(self, sites, rate, count):
        for at in sites:
            worker = multiprocessing.Process(
                target=rabbit.work, args=(self.fleet.ports[at], rate, PREFETCH, self.done),
                daemon=True)
            worker.start()
            self.workers.append(worker)
        seen = set()
        end = time.monotonic() + PATIENCE
        while len(seen) < count:
            seen.add(self.done.get(timeout=max(0.01, end - time.monotonic())))

    def close(self):
        for worker in self.workers:
            worker.kill()
        self.fleet.close()
        self.holder.cleanup()


def timed(action):
    start = time.monotonic()
    action()
    return time.monotonic() - start


def run(system, options, links, action):
    """What the action returns for a system that is started anew."""
    one = system(options, links)
    try:
        return action(one)
    finally:
        one.close()


def measure_work(options):
    for sites in (3, 9):
        best = options.count / (sites * options.rate)

        def work(system):
            system.put(options.count)
            seconds = timed(lambda: system.work(range(sites), options.rate, options.count))
            return seconds / best

        for system in (Agents, Federation):
            yield f"work, ring of {sites}", system.name, "times the least", [
                run(system, options, ring(sites), work) for _ in range(options.repeat)]


def measure_level(options):
    for sites in (3, 9):
        def level(system):
            before = system.messages()
            seconds = timed(lambda: (system.put(options.count), system.level(options.count)))
            return (seconds, system.moved() / options.count,
                    (system.messages() - before) / options.count)

        found = [run(Agents, options, ring(sites), level) for _ in range(options.repeat)]
        predicted = [simulate(options, sites, seed) for seed in range(options.repeat)]
        for number, unit in enumerate(("s", "moves a job", "messages a job")):
            for system, figures in ((Agents.name, found), ("simulation", predicted)):
                yield f"level, ring of {sites}", system, unit, [each[number] for each in figures]


def simulate(options, sites, seed):
    """The same figures, of the program over the same links in a simulation."""
    text = subprocess.run(
        [options.program, "run", "self-stabilising", "--network", f"cycle:n={sites}", "--loads",
         f"spike:tokens={options.count},node=0", "--param", "link=labelled", "--param",
         f"batch={BATCH}", "--seed", str(seed), "--json"],
        check=True, capture_output=True, text=True).stdout
    told = json.loads(text)
    return (told["level_since"] * TICK, told["exchanges"] / options.count,
            told["messages"] / options.count)


def measure_link(options):
    count = options.count

    def to_the_other_end(system):
        """Put and worked off at once."""
        seconds = timed(lambda: (system.put(count), system.work([1], 0, count)))
        return count / seconds

    def half(system):
        return count / 2 / timed(lambda: (system.put(count), system.level(count)))

    for system in (Agents, Federation):
        yield "link, to a worker", system.name, "jobs a second", [
            run(system, options, path(2), to_the_other_end) for _ in range(options.repeat)]
    yield "link, half of the jobs", Agents.name, "jobs a second", [
        run(Agents, options, path(2), half) for _ in range(options.repeat)]
    yield "link, a copy", "source of a stream", "jobs a second", [
        copy_rate(options) for _ in range(options.repeat)]


def copy_rate(options):
    """A server that is a leaf of another copies its stream."""
    with tempfile.TemporaryDirectory(prefix="copy-") as name:
        folder = pathlib.Path(name)
        hub, leaf, joint = free_ports(3)
        (folder / "hub.conf").write_text(
            f"listen: {HOST}:{hub}\nserver_name: hub\nleafnodes {{ listen: {HOST}:{joint} }}\n"
            f"jetstream {{ store_dir: \"{folder}/hub\", domain: hub }}\n", encoding="utf-8")
        (folder / "leaf.conf").write_text(
            f"listen: {HOST}:{leaf}\nserver_name: leaf\n"
            f"leafnodes {{ remotes: [{{ url: \"nats-leaf://{HOST}:{joint}\" }}] }}\n"
            f"jetstream {{ store_dir: \"{folder}/leaf\", domain: leaf }}\n", encoding="utf-8")
        servers = []
        try:
            for at in ("hub", "leaf"):
                servers.append(subprocess.Popen(
                    ["nats-server", "-c", folder / f"{at}.conf", "-l", folder / f"{at}.log"],
                    preexec_fn=die_with_parent))
            with connected(hub) as here, connected(leaf) as there:
                here.ask("STREAM.CREATE.JOBS", name="JOBS", subjects=["jobs.>"], storage="file",
                         retention="limits", num_replicas=1, max_consumers=-1, max_msgs=-1,
                         max_bytes=-1)
                there.ask("STREAM.CREATE.COPY", name="COPY", storage="file", retention="limits",
                          num_replicas=1, max_consumers=-1, max_msgs=-1, max_bytes=-1,
                          sources=[{"name": "JOBS", "external": {"api": "$JS.hub.API"}}])

                def copy(count):
                    subprocess.run([options.jobs, "put", "--server", f"nats://{HOST}:{hub}",
                                    "--count", str(count), "--at-once", "256", "--size",
                                    str(options.size), "--first", str(2 if count > 1 else 1)],
                                   check=True)
                    last = here.ask("STREAM.INFO.JOBS")["state"]["messages"]
                    while there.ask("STREAM.INFO.COPY")["state"]["messages"] < last:
                        time.sleep(0.01)

                copy(1)  # so that the source is followed
                return options.count / timed(lambda: copy(options.count))
        finally:
            for server in servers:
                server.kill()
                server.wait()


def connected(port):
    end = time.monotonic() + 30
    while True:
        try:
            client = NatsClient(port)
            client.ask("INFO")
            return client
        except Exception:  # it is still starting
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default=str(ROOT / "build" / "bin" / "equipoise"))
    parser.add_argument("--jobs", default=str(ROOT / "build" / "bin" / "agent_jobs"))
    parser.add_argument("--count", type=int, default=4000, help="of jobs")
    parser.add_argument("--rate", type=float, default=100, help="jobs a second of a worker")
    parser.add_argument("--size", type=int, default=1024, help="bytes of a job")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", nargs="*", default=["work", "level", "link"])
    options = parser.parse_args()
    parts = {"work": measure_work, "level": measure_level, "link": measure_link}
    print("| Measured | By | Unit | Median | From | To |\n|---|---|---|---|---|---|", flush=True)
    for part in options.only:
        for what, system, unit, values in parts[part](options):
            print(f"| {what} | {system} | {unit} | {statistics.median(values):,.2f} | "
                  f"{min(values):,.2f} | {max(values):,.2f} |", flush=True)


if __name__ == "__main__":
    main()
