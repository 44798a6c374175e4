"""Reads the files of the ROADEF/EURO challenge 2012 (machine reassignment): models and assignments,
both of whole numbers that white space separates."""

import collections
import os

# The contest's largest file has 3.4 MB; one above this limit is refused before it is read.
BYTES_MOST = 1 << 29

Resource = collections.namedtuple("Resource", "transient weight")
# safe: from where on a load costs; costs: of moving a process from here, by machine.
Machine = collections.namedtuple("Machine", "neighbourhood location capacities safe costs")
Service = collections.namedtuple("Service", "spread depends")
Process = collections.namedtuple("Process", "service needs cost")
Balance = collections.namedtuple("Balance", "first second target weight")
Model = collections.namedtuple(
    "Model", "resources machines services processes balances process_weight service_weight "
    "machine_weight")


class FileError(Exception):
    """Says in one line which file is wrong, where, what was expected and what was found."""


class Numbers:
    """The numbers of a file, one after the other. Counts are compared with what is left of it
    before anything of that size is made."""

    def __init__(self, path):
        self.path = str(path)
        try:
            size = os.path.getsize(path)
            if size > BYTES_MOST:
                raise FileError(f"{path}: expected at most {BYTES_MOST} bytes, found {size}")
            with open(path, encoding="ascii", errors="replace") as file:
                self.text = file.read()
        except OSError as error:
            raise FileError(f"{path}: {error.strerror}") from None
        self.words = self.text.split()
        self.at = 0

    def line(self, at):
        """The line on which the word with this number stands."""
        seen = 0
        for number, line in enumerate(self.text.splitlines(), 1):
            seen += len(line.split())
            if seen > at:
                return number
        return self.text.count("\n") + (not self.text.endswith("\n"))

    def fail(self, at, expected):
        found = f'"{self.words[at][:40]}"' if at < len(self.words) else "the end of the file"
        raise FileError(f"{self.path}:{self.line(at)}: expected {expected}, found {found}")

    def many(self, count, what, below=None):
        """So many whole numbers of 0 or more."""
        end = self.at + count
        if end > len(self.words):
            self.fail(len(self.words), what + (f": {count} numbers" if count > 1 else ""))
        words = self.words[self.at:end]
        for i, word in enumerate(words):
            if not word.isdecimal() or len(word) > 18 or (below is not None and int(word) >= below):
                self.fail(self.at + i, what + (f", below {below}" if below is not None else ""))
        self.at = end
        return list(map(int, words))

    def one(self, what, below=None):
        return self.many(1, what, below)[0]

    def count(self, what, each):
        """A number of things, of which each takes at least `each` numbers of the file."""
        number = self.one(what)
        if number * each > len(self.words) - self.at:
            self.fail(self.at - 1, f"{what} that the file is long enough for")
        return number

    def end(self):
        if self.at < len(self.words):
            self.fail(self.at, "the end of the file")


def read_model(path):
    read = Numbers(path)
    resources = [Resource(read.one("whether the resource is transient: 0 or 1", 2),
                          read.one("the weight of a load"))
                 for _ in range(read.count("a number of resources", 2))]
    kinds = len(resources)
    count = read.count("a number of machines", 2 + 2 * kinds)
    if count * (count + 2 + 2 * kinds) > len(read.words):
        read.fail(read.at - 1, "a number of machines that the file is long enough for")
    machines = [Machine(read.one("a neighbourhood"), read.one("a location"),
                        read.many(kinds, "capacities"), read.many(kinds, "safety capacities"),
                        read.many(count, "costs of moving from here to each machine"))
                for _ in range(count)]
    services = []
    number = read.count("a number of services", 2)
    for _ in range(number):
        spread = read.one("the least spread of a service")
        depends = read.count("a number of services that a service depends on", 1)
        services.append(Service(spread, read.many(depends, "the number of a service", number)))
    processes = [Process(read.one("the number of a service", number),
                         read.many(kinds, "what a process needs"),
                         read.one("the cost of moving a process"))
                 for _ in range(read.count("a number of processes", 2 + kinds))]
    balances = [Balance(read.one("the number of a resource", kinds),
                        read.one("the number of a resource", kinds),
                        read.one("a target"), read.one("the weight of a balance"))
                for _ in range(read.count("a number of balance costs", 4))]
    weights = read.many(3, "the weights of moving processes, services and between machines")
    read.end()
    return Model(resources, machines, services, processes, balances, *weights)


def read_assignment(path, model):
    """The machine of every process."""
    read = Numbers(path)
    places = read.many(len(model.processes), "the number of a machine", len(model.machines))
    read.end()
    return places


def write_assignment(path, places):
    """Replaces the file by a whole one, or leaves it as it was."""
    part = f"{path}.part"
    with open(part, "w", encoding="ascii") as file:
        file.write(" ".join(map(str, places)) + "\n")
    os.replace(part, path)
