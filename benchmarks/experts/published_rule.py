#!/usr/bin/env python3
"""The published rule for copies of experts (EPLB), restated: copies first, then packing.

usage: published_rule.py LOADS [--groups N --hosts N] [-o PLACEMENT] [--then LOADS]

The rule never looks at the placement that is there:

1. where there are groups, they are packed onto hosts, as many on each;
2. within each host (globally: everywhere), each further copy goes to the expert whose copies carry
   most at that moment;
3. the copies are packed onto the GPUs of the host.

Packing takes what is heaviest first and puts it onto what is least loaded and still has room.
Nothing keeps two copies of an expert off one GPU.

LOADS is the recorder's JSON ({"logical_count": [layers][experts]}). The placement is written as a
server takes it: {"physical_to_logical_map": [layers][slots]}; layers without loads have the trivial
one. Printed are means over the layers with loads of the largest GPU over the mean GPU, where
experts go round without copies, where they do in all slots, and by the rule. With --then, also how
the rule's placement stands under those loads, and what the rule copies for them.
"""

import argparse
import collections
import json
import sys


def trivial(experts, slots):
    """Slot after slot: expert after expert, and again from the first."""
    return [slot % experts for slot in range(slots)]


def pack(weights, packs):
    """What each pack holds: the heaviest first, onto the lightest with room left."""
    room = len(weights) // packs
    held = [0.0] * packs
    inside = [[] for _ in range(packs)]
    for item in sorted(range(len(weights)), key=lambda item: -weights[item]):
        lightest = min((pack for pack in range(packs) if len(inside[pack]) < room),
                       key=lambda pack: held[pack])
        inside[lightest].append(item)
        held[lightest] += weights[item]
    return inside


def with_copies(loads, slots):
    """The item of each of `slots` copies: one each, and then of what carries most a copy."""
    copies = [1] * len(loads)
    which = list(range(len(loads)))
    for _ in range(slots - len(loads)):
        most = max(range(len(loads)), key=lambda item: loads[item] / copies[item])
        copies[most] += 1
        which.append(most)
    return which, copies


def place(loads, gpus, slots, groups=1, hosts=1):
    """The expert in each slot, GPU by GPU; `slots` on each GPU."""
    size = len(loads) // groups
    weights = [sum(loads[group * size:(group + 1) * size]) for group in range(groups)]
    placement = []
    for inside in pack(weights, hosts):
        here = [group * size + i for group in inside for i in range(size)]
        loads_here = [loads[expert] for expert in here]
        which, copies = with_copies(loads_here, gpus // hosts * slots)
        for gpu in pack([loads_here[i] / copies[i] for i in which], gpus // hosts):
            placement.extend(here[which[copy]] for copy in gpu)
    return placement


def place_all(loads, gpus, slots, groups=1, hosts=1):
    """The placement of every layer: one without loads has the trivial one."""
    start = trivial(len(loads[0]), gpus * slots)
    return [place(row, gpus, slots, groups, hosts) if any(row) else start for row in loads]


def by_gpu(placement, gpus):
    """The experts of each GPU."""
    slots = len(placement) // gpus
    return [placement[gpu * slots:(gpu + 1) * slots] for gpu in range(gpus)]


def level(loads, placement, gpus):
    """The largest GPU over the mean."""
    copies = collections.Counter(placement)
    largest = max(sum(loads[expert] / copies[expert] for expert in gpu)
                  for gpu in by_gpu(placement, gpus))
    return largest * gpus / sum(loads)


def copied(before, after, gpus):
    """Experts on GPUs that did not have them."""
    return sum(len(set(new) - set(old))
               for old, new in zip(by_gpu(before, gpus), by_gpu(after, gpus)))


def twice(placement, gpus):
    """Copies beside another one of the same expert on one GPU."""
    return sum(len(gpu) - len(set(gpu)) for gpu in by_gpu(placement, gpus))


def read_loads(path):
    """By layer and expert; steps of a recording are summed."""
    with open(path, encoding="utf-8") as file:
        loads = json.load(file)["logical_count"]
    if isinstance(loads[0][0], list):
        loads = [[sum(expert) for expert in zip(*layer)] for layer in zip(*loads)]
    return loads


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("loads")
    parser.add_argument("--gpus", type=int, default=32)
    parser.add_argument("--slots", type=int, default=9, help="of each GPU (default: 9)")
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--hosts", type=int, default=1)
    parser.add_argument("--then", metavar="LOADS", help="later loads")
    parser.add_argument("-o", "--output", metavar="FILE", help="the placement, as SGLang takes it")
    given = parser.parse_args()
    if given.gpus % given.hosts or given.groups % given.hosts:
        sys.exit("the hosts must divide the GPUs and the groups")

    loads = read_loads(given.loads)
    gpus, slots = given.gpus, given.slots
    if len(loads[0]) % given.groups or len(loads[0]) > gpus * slots:
        sys.exit("the groups must divide the experts, and each expert needs a slot")
    layers = [layer for layer, row in enumerate(loads) if any(row)]
    start = trivial(len(loads[0]), gpus * slots)
    placement = place_all(loads, gpus, slots, given.groups, given.hosts)

    def mean(values):
        return sum(values) / len(layers)

    print(f"layers {len(layers)}")
    if len(loads[0]) % gpus == 0:
        single = trivial(len(loads[0]), len(loads[0]))
        print(f"without copies {mean(level(loads[i], single, gpus) for i in layers):.3f}")
    print(f"trivial {mean(level(loads[i], start, gpus) for i in layers):.3f}")
    print(f"rule {mean(level(loads[i], placement[i], gpus) for i in layers):.3f}")
    print(f"twice on a GPU, by layer {mean(twice(placement[i], gpus) for i in layers):.1f}, "
          f"in all {sum(twice(placement[i], gpus) for i in layers)}")
    if given.then:
        later = read_loads(given.then)
        again = place_all(later, gpus, slots, given.groups, given.hosts)
        print(f"later, its old placement "
              f"{mean(level(later[i], placement[i], gpus) for i in layers):.3f}, "
              f"its new one {mean(level(later[i], again[i], gpus) for i in layers):.3f}")
        moved = sum(copied(placement[i], again[i], gpus) for i in layers)
        print(f"copied again {moved} of {len(layers) * gpus * slots} slots: "
              f"{100 * moved / (len(layers) * gpus * slots):.1f} %")
    if given.output:
        with open(given.output, "w", encoding="utf-8") as file:
            json.dump({"physical_to_logical_map": placement}, file)
            file.write("\n")


if __name__ == "__main__":
    main()
