"""Fleets of sites on this machine: a server of NATS each, agents beside them, proxies on links."""

import atexit
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from processes import HOST, die_with_parent, free_ports  # noqa: E402
from fleet_site import Site  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent


def path(count):
    return [(node, node + 1) for node in range(count - 1)]


def ring(count):
    return [(node, (node + 1) % count) for node in range(count)]


def torus(side):
    """Links of a square that is closed in both directions; each node has four neighbours."""
    links = set()
    for row in range(side):
        for column in range(side):
            at = row * side + column
            for other in (row * side + (column + 1) % side, (row + 1) % side * side + column):
                links.add((min(at, other), max(at, other)))
    return sorted(links)


class LinkProxy:
    """The process of link_proxy.py. Directions of links are called "FROM>TO": that is the way from
    an agent to its neighbour's server."""

    def __init__(self, targets, seed):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / "link_proxy.py"), "--seed", str(seed)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=die_with_parent)
        self.names = list(targets)
        self.ports = self.do(targets)

    def do(self, command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


class Fleet:
    """`links` are pairs of numbers of sites. Servers run and proxies stand when it is made; agents
    are started by `start_agents`. `store_max`: by number of a site, what its server may store
    (default: 1GB). All are killed in the end."""

    stream = "JOBS"
    consumer = "WORKERS"

    def __init__(self, program, jobs, links, seed=1, store_max=None, has_proxies=True):
        self.holder = tempfile.TemporaryDirectory(prefix="fleet-test-")
        self.folder = pathlib.Path(self.holder.name)
        self.program = program
        self.jobs = jobs
        self.links = links
        self.credentials = {}  # of the test's own connections
        self.file = self.folder / "fleet.gml"
        self.records = self.folder / "records"
        self.records.mkdir()
        self.worked = collections.Counter()  # times by number of a job
        self.sure = collections.Counter()  # acknowledgements that a worker saw confirmed
        self.broken = []  # what workers complain of
        self.again = set()  # jobs that were put a second time
        self.lines = 0  # of workers, one for each time that a job was worked off
        self._proxy = None
        self._putting = []
        self._put_logs = 0
        count = 1 + max(max(link) for link in links)
        self.sites = [Site(self, f"site{number}", port, (store_max or {}).get(number, "1GB"))
                      for number, port in enumerate(free_ports(count))]
        self.neighbours = {site.name: [] for site in self.sites}
        for one, other in links:
            self.neighbours[self.sites[one].name].append(self.sites[other])
            self.neighbours[self.sites[other].name].append(self.sites[one])
        atexit.register(self.close)
        for site in self.sites:
            site.start_server()
        for site in self.sites:
            site.wait_until_up()
        if has_proxies:
            self._proxy = LinkProxy({f"{self.sites[a].name}>{self.sites[b].name}":
                                     self.sites[b].port for one, other in links
                                     for a, b in ((one, other), (other, one))}, seed)
        self.write_file()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for process in self._putting:
            process.kill()
            process.wait()
        for site in self.sites:
            site.close()
        if self._proxy:
            self._proxy.close()
        self.holder.cleanup()
        atexit.unregister(self.close)

    def write_file(self):
        lines = ["graph [", '  label "test"']
        for number, site in enumerate(self.sites):
            lines.append(f'  node [ id {number} label "{site.name}" server "{site.url}" ]')
        for one, other in self.links:
            a, b = self.sites[one].name, self.sites[other].name
            through = "" if not self._proxy else (
                f' source_server "nats://{HOST}:{self._proxy.ports[f"{b}>{a}"]}"'
                f' target_server "nats://{HOST}:{self._proxy.ports[f"{a}>{b}"]}"')
            lines.append(f"  edge [ source {one} target {other}{through} ]")
        self.file.write_text("\n".join([*lines, "]"]) + "\n", encoding="utf-8")

    # What happens to it.

    def make_queues(self, ack_wait, **how):
        for site in self.sites:
            site.make_queue(ack_wait, **how)

    def start_agents(self, *options):
        for site in self.sites:
            site.agent_options = list(options)
            site.start_agent()

    def start_recorded_agents(self):
        """As start_agents; what reaches and leaves their programs is recorded."""
        self.start_agents("--record", self.records)

    def start_workers(self, rate=0, batch=8):
        """`rate`: jobs a second of each."""
        for site in self.sites:
            site.start_worker(rate, batch)

    def stop_workers(self):
        working = [site for site in self.sites if site.worker]
        for site in working:
            site.stop_worker()
        for site in working:
            site.wait_for_worker()

    def begin_put(self, site, first, count, rate=0, at_once=32, size=0):
        """An application that puts jobs. Returns the process."""
        self._put_logs += 1
        process = site.start(
            [self.jobs, "put", "--server", site.url, "--first", first, "--count", count, "--rate",
             rate, "--at-once", at_once, "--size", size, "--log", self.folder /
             f"put{self._put_logs}"], "put.log")
        self._putting.append(process)
        return process

    def put(self, site, first, count, **how):
        """The same, until all is stored."""
        status = self.begin_put(site, first, count, **how).wait(300)
        if status != 0:
            raise RuntimeError(f"jobs put ended with {status}: {site.said()}")

    def links_do(self, **command):
        """Such as cut=NAMES; see link_proxy.py."""
        self._proxy.do(command)

    @property
    def link_names(self):
        return self._proxy.names

    def port_of_link(self, name):
        """The proxy's."""
        return self._proxy.ports[name]

    def heal(self):
        self.links_do(heal=self.link_names, delay=dict.fromkeys(self.link_names, 0),
                      drop=dict.fromkeys(self.link_names, 0))

    # What is seen of it.

    def look(self):
        """Reads the logs of workers and of applications."""
        for site in self.sites:
            for words in site.new_lines():
                if words[0] == "worked":
                    self.worked[int(words[1])] += 1
                    self.lines += 1
                elif words[0] == "sure":
                    self.sure[int(words[1])] += 1
                else:
                    self.broken.append(f"{site.name}: {' '.join(words)}")
        for number in range(self._put_logs):
            log = self.folder / f"put{number + 1}"
            if log.exists():
                self.again |= {int(line.split()[1]) for line in
                               log.read_text(encoding="utf-8").splitlines()}

    def backlogs(self):
        return [site.backlog() for site in self.sites]

    def wait_until(self, is_so, patience, what):
        """Until is_so() returns something. Raises TimeoutError with the logs, at once if an agent
        has ended by itself."""
        end = time.monotonic() + patience
        while not (found := is_so()):
            if time.monotonic() > end or any(site.has_failed() for site in self.sites):
                raise TimeoutError(f"{what} did not come about in {patience} s\n"
                                   + "\n".join(site.said() for site in self.sites))
            time.sleep(0.05)
        return found

    def wait_for_event(self, site, event, patience=30):
        """The first one in the log of a site's agent."""
        return self.wait_until(lambda: next((each for each in site.events()
                                             if each["event"] == event), None), patience, event)

    def wait_until_level(self, patience, jobs=None):
        """Returns the seconds that it took until neighbours differed by at most one job, and the
        backlogs; `jobs`: how many there are in all. Where servers were killed, ghosts may count or
        not: no client can tell them from jobs that somebody has. So may the few jobs that are
        `untouchable`."""
        start = time.monotonic()

        def is_level():
            least = [site.backlog() - (site.untouchable() if site.was_killed else 0)
                     for site in self.sites]
            most = [site.backlog(with_ghosts=True) if site.was_killed else jobs_there
                    for site, jobs_there in zip(self.sites, least)]
            steepest = max(max(least[one] - most[other], least[other] - most[one])
                           for one, other in self.links)
            return steepest <= 1 and jobs in (None, sum(least)) and least

        try:
            backlogs = self.wait_until(is_level, patience, "a level fleet")
        except TimeoutError as error:
            raise TimeoutError(f"backlogs {self.backlogs()}\n{self.told()}\n{error}") from error
        return time.monotonic() - start, backlogs

    def wait_until_holds(self, jobs, patience=30):
        """A job counts at both ends of a link while it crosses it."""
        self.wait_until(lambda: sum(self.backlogs()) == jobs, patience, f"{jobs} jobs in all")

    def wait_until_worked_off(self, numbers, patience):
        def is_worked_off():
            self.look()
            return len(self.worked) >= len(numbers) and all(number in self.worked
                                                            for number in numbers)

        try:
            self.wait_until(is_worked_off, patience, "all jobs worked off")
        except TimeoutError as error:
            left = [number for number in numbers if number not in self.worked]
            raise TimeoutError(f"{len(left)} jobs are left, such as {left[:5]}; backlogs "
                               f"{self.backlogs()}\n{self.told()}\n{error}") from error

    def run(self, *words, timeout=30, status=(0,)):
        """A verb of `agent` on this fleet, which ends with one of these. Returns standard
        output."""
        done = subprocess.run([self.program, "agent", words[0], "--fleet", str(self.file),
                               *words[1:]], capture_output=True, text=True, timeout=timeout)
        if done.returncode not in status:
            raise RuntimeError(f"agent {' '.join(words)}: expected status {status}, found "
                               f"{done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def status(self):
        return json.loads(self.run("status", "--json", status=(0, 1)))

    def told(self):
        """What agents say, for a message."""
        if not any(site.agent for site in self.sites):
            return ""
        return self.run("status", status=(0, 1)) + json.dumps(self.status()["sites"])

    def doubles(self):
        """Times that jobs were worked off beyond the first, except of those that an application
        put twice."""
        return sum(times - 1 for number, times in self.worked.items() if number not in self.again)

    def forgotten(self):
        """Acknowledgements that servers which were killed did not know afterwards: those they had
        taken and not written, and those that were under way from a worker to them."""
        unsure = sum(times - self.sure[number] for number, times in self.worked.items())
        return unsure + sum(site.acknowledgements.forgotten for site in self.sites)

    def perhaps_twice(self):
        """Of how many jobs agents said that they may be done twice, since what held them ended too
        long ago."""
        return sum(event.get("perhaps_twice", 0) for site in self.sites for event in site.events())
