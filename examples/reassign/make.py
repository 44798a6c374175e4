"""Writes two clusters into this folder: shards on machines in racks, and partitions on brokers.

    python3 make.py && equipoise reassign shards.csv --machines machines.csv

machines.csv drains a3; brokers.csv has a broker, 6, that holds nothing yet."""
import random

draw = random.Random(1)


def size():
    """Log-normal: the median is 20 GB, one in twenty is five times as large."""
    return f"{20 * draw.lognormvariate(0, 1):.2f} GB"


def write(name, header, rows):
    with open(name, "w", encoding="utf-8") as file:
        file.write("".join(",".join(row) + "\n" for row in [header, *rows]))


machines = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "b3": "b"}
write("machines.csv", ("machine", "rack", "size", "drain"),
      [(name, rack, "3 TB", "yes" if name == "a3" else "no") for name, rack in machines.items()])
write("shards.csv", ("item", "machine", "size"),
      [(f"shard-{i:03}", draw.choices(list(machines), [6, 4, 4, 3, 2, 1])[0], size())
       for i in range(200)])

racks = {"r1": ["1", "2"], "r2": ["3", "4"], "r3": ["5"]}
write("brokers.csv", ("broker", "rack"),
      [(name, rack) for rack, names in racks.items() for name in names] + [("6", "r3")])
replicas = []
for i in range(40):
    bytes_of = size()
    replicas += [(f"orders-{i}", draw.choice(names), bytes_of) for names in racks.values()]
write("partitions.csv", ("item", "broker", "size"), replicas)
