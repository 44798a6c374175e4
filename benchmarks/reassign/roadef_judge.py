"""Judges a solution of the ROADEF/EURO challenge 2012 (machine reassignment): which hard rules it
breaks, and what it costs. Written from the statement of the problem: every rule and every cost is
one function that looks at the whole assignment, however long that takes. Nothing is shared with
what converts or solves an instance but the reader of files."""

import collections

Cost = collections.namedtuple("Cost", "load balance process_moves service_moves machine_moves")


def _loads(model, places):
    """By machine, then resource: what its processes need."""
    loads = [[0] * len(model.resources) for _ in model.machines]
    for process, place in zip(model.processes, places):
        for resource, need in enumerate(process.needs):
            loads[place][resource] += need
    return loads


def _moved(start, end):
    return [number for number, (old, new) in enumerate(zip(start, end)) if old != new]


def over_capacity(model, start, end):
    """Of a transient resource a process that moves counts on its old and on its new machine."""
    loads = _loads(model, end)
    for number in _moved(start, end):
        for resource, kind in enumerate(model.resources):
            if kind.transient:
                loads[start[number]][resource] += model.processes[number].needs[resource]
    for machine, load in enumerate(loads):
        for resource, most in enumerate(model.machines[machine].capacities):
            if load[resource] > most:
                yield (f"capacity: machine {machine} needs {load[resource]} of resource "
                       f"{resource} and has {most}")


def in_conflict(model, end):
    """Processes of one service are on different machines."""
    seen = set()
    for number, process in enumerate(model.processes):
        if (process.service, end[number]) in seen:
            yield (f"conflict: process {number} is not the only one of service {process.service} "
                   f"on machine {end[number]}")
        seen.add((process.service, end[number]))


def too_little_spread(model, end):
    """The machines of a service are in at least as many locations as its spread says."""
    locations = collections.defaultdict(set)
    for number, process in enumerate(model.processes):
        locations[process.service].add(model.machines[end[number]].location)
    for number, service in enumerate(model.services):
        if len(locations[number]) < service.spread:
            yield (f"spread: service {number} is in {len(locations[number])} locations, not in "
                   f"{service.spread}")


def far_from_what_is_needed(model, end):
    """Every process of a service has, in the neighbourhood of its machine, one of each service that
    its own depends on."""
    services_in = collections.defaultdict(set)
    for number, process in enumerate(model.processes):
        services_in[model.machines[end[number]].neighbourhood].add(process.service)
    for number, process in enumerate(model.processes):
        near = services_in[model.machines[end[number]].neighbourhood]
        for other in model.services[process.service].depends:
            if other not in near:
                yield (f"dependency: process {number} of service {process.service} has no process "
                       f"of service {other} in its neighbourhood")


def faults(model, start, end):
    """What breaks a rule, one line each; empty if the solution is allowed."""
    if len(end) != len(model.processes):
        return [f"expected {len(model.processes)} machines, found {len(end)}"]
    if any(not 0 <= machine < len(model.machines) for machine in end):
        return [f"expected machines from 0 to {len(model.machines) - 1}, found another one"]
    return [*over_capacity(model, start, end), *in_conflict(model, end),
            *too_little_spread(model, end), *far_from_what_is_needed(model, end)]


def load_cost(model, end):
    loads = _loads(model, end)
    return sum(kind.weight * sum(max(0, load[resource] - machine.safe[resource])
                                 for machine, load in zip(model.machines, loads))
               for resource, kind in enumerate(model.resources))


def balance_cost(model, end):
    loads = _loads(model, end)

    def free(machine, resource):
        return model.machines[machine].capacities[resource] - loads[machine][resource]

    return sum(balance.weight * sum(max(0, balance.target * free(machine, balance.first) -
                                        free(machine, balance.second))
                                    for machine in range(len(model.machines)))
               for balance in model.balances)


def service_move_cost(model, start, end):
    moved = collections.Counter(model.processes[number].service for number in _moved(start, end))
    return model.service_weight * max(moved.values(), default=0)


def cost(model, start, end):
    """The five parts of the cost of an assignment; the cost is their sum."""
    moved = _moved(start, end)
    return Cost(load_cost(model, end), balance_cost(model, end),
                model.process_weight * sum(model.processes[number].cost for number in moved),
                service_move_cost(model, start, end),
                model.machine_weight * sum(model.machines[start[number]].costs[end[number]]
                                           for number in moved))
