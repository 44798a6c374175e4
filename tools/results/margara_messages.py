"""What the messages in the record of a run of perfect-tree tell about its phases."""

import collections

TOKEN_2, TOKEN_3 = 2, 3  # kinds of message that carry tokens in Phases 2 and 3


def state(degree, told, received):
    """The state of a node in Phase 1 that has sent its local message or not, and received this many
    messages."""
    if received < degree - 1:
        return "S1.1"
    if received < degree:
        return "S1.3" if told else "S1.2"
    return "S1.5" if told else "S1.4"


def phase_1_states(record):
    """For each node the states of Phase 1 that it was in, told by the messages (S, R) that it had
    sent and received; for a leaf S1.5, in which S = 1 and R = deg, is S1.final, too."""
    kinds = record["asynchrony"]["kinds"]
    events, neighbours = collections.defaultdict(list), collections.defaultdict(set)
    for order, (sent, arrived, source, target, kind, _) in enumerate(
            record["asynchrony"]["deliveries"]):
        if source == target or kinds[kind] not in ("local", "global"):
            continue
        # What a node sends at a moment follows from what it has received until then.
        events[target].append((arrived, 0, order, "received", kinds[kind]))
        events[source].append((sent, 1, order, "sent", kinds[kind]))
        neighbours[source].add(target)
        neighbours[target].add(source)
    for node, happened in events.items():
        degree, told, received, sent = len(neighbours[node]), 0, 0, 0
        visited = ["start", state(degree, told, received)]
        for *_, what, kind in sorted(happened):
            received += what == "received"
            sent += what == "sent"
            told += what == "sent" and kind == "local"
            now = state(degree, told, received)
            if now != visited[-1]:
                visited.append(now)
        if received == degree and sent == degree:
            visited.append("S1.final")
        yield visited


def phase_2_balance(record):
    """What the tokens of Phase 2 alone make of the loads, and how many links carry tokens."""
    loads = list(record["initial_loads"])
    ways, told = {TOKEN_2: set(), TOKEN_3: set()}, set()
    for _, _, source, target, kind, tokens in record["asynchrony"]["deliveries"]:
        if source == target:
            continue
        if record["asynchrony"]["kinds"][kind] == "local":
            told.add(source)
        if kind in ways:
            ways[kind].add((source, target))
        if kind == TOKEN_2:
            loads[source] -= tokens
            loads[target] += tokens
    (root,) = set(range(len(loads))) - told
    average, extra = divmod(sum(loads), len(loads))
    others = [load for node, load in enumerate(loads) if node != root]

    def both_ways(kind):
        return sum((to, by) in ways[kind] for by, to in ways[kind]) // 2
    return {"others": len(others), "not_average": sum(load != average for load in others),
            "root_above": loads[root] - average, "extra": extra,
            "discrepancy": max(loads) - min(loads), "links": len(ways[TOKEN_2]),
            "both_ways_2": both_ways(TOKEN_2), "both_ways_3": both_ways(TOKEN_3)}
