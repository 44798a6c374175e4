"""Margara, Pistocchi, Vassura 2004, Section 6: finite machines on the tree of two nodes.

This search shares nothing with the one of the tests and of the certificates.
"""

import pandas

from results.making import claim, table

SIZES = ((1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (3, 0))  # states, and signals beside the token


def joint_states(states, signals):
    """What two machines and the message between them can be, and whose turn it is."""
    return 2 * states ** 2 * (signals + 2)


def machines(states, signals):
    """How many there are: an act for each state and message, beside tokens and without any."""
    return (states * (signals + 1)) ** (states * (signals + 1)) * (
        states * (signals + 2)) ** (states * (signals + 2))


class Search:
    """All machines of a size at once. An act, next state * sends + what is sent, is filled in where
    a play needs it; what is left open stands for every act. Sent and heard are 0, nothing, then the
    signals, then the token, which an empty pile can neither send nor have heard."""

    def __init__(self, states, signals):
        self.token = signals + 1
        self.row = 2 * signals + 3
        self.choices = [states * self.sends(place % self.row > self.token)
                        for place in range(states * self.row)]
        self.acts = [None] * len(self.choices)
        most = 2 * joint_states(states, signals) + 2
        self.loads = [(tokens - second, second) for tokens in range(most + 1)
                      for second in range(tokens + 1)]
        self.fail = {}  # by the fewest tokens that they leave uneven: how many machines
        self.go_on(0)

    def sends(self, empty):
        return self.token + (0 if empty else 1)

    def play(self, load):
        """Whether the loads differ by at most 1 from some time on, or the first open place."""
        piles, at, turn, heard = list(load), [0, 0], 0, 0
        seen, level = {}, []
        while True:
            now = piles[0], *at, turn, heard
            if now in seen:
                return all(level[seen[now]:]), None
            seen[now] = len(level)
            level.append(abs(piles[0] - piles[1]) <= 1)
            empty = piles[turn] == 0
            place = at[turn] * self.row + heard + (self.token + 1 if empty else 0)
            if self.acts[place] is None:
                return None, place
            at[turn], heard = divmod(self.acts[place], self.sends(empty))
            if heard == self.token:
                piles[turn] -= 1
                piles[1 - turn] += 1
            turn = 1 - turn

    def go_on(self, first):
        """Plays the loads from this one on; the machines level all before it."""
        for number in range(first, len(self.loads)):
            level, place = self.play(self.loads[number])
            if place is not None:
                for self.acts[place] in range(self.choices[place]):
                    self.go_on(number)
                self.acts[place] = None
                return
            if not level:
                count = 1
                for act, choices in zip(self.acts, self.choices):
                    count *= choices if act is None else 1
                tokens = sum(self.loads[number])
                self.fail[tokens] = self.fail.get(tokens, 0) + count
                return


def played(_sweep):
    """How many machines of each size fail, by the fewest tokens with which they do."""
    rows = [(states, signals, tokens, count) for states, signals in SIZES
            for tokens, count in sorted(Search(states, signals).fail.items())]
    return pandas.DataFrame(rows, columns=("states", "signals", "tokens", "machines"))


def by_size(data):
    """For each size its machines by the fewest tokens with which they fail: all of them do."""
    for (states, signals), rows in data["finite-machines"].groupby(["states", "signals"]):
        fail = dict(zip(rows.tokens, rows.machines))
        claim(sum(fail.values()) == machines(states, signals),
              f"all machines of {states} states and {signals} signals fail")
        yield states, signals, fail


def figure(data, axes):
    """How many machines level all loads of up to each number of tokens."""
    for states, signals, fail in by_size(data):
        tokens = range(8)
        left = [sum(count for least, count in fail.items() if least > most) for most in tokens]
        axes.plot(tokens, left, label=f"{states} state{'s' * (states > 1)}, {signals} "
                                      f"signal{'s' * (signals != 1)}")
    axes.set_yscale("symlog", linthresh=1)
    axes.set(xlabel="tokens", ylim=(0, None),
             ylabel="machines that level all loads of at most these")
    axes.legend()


def block(data):
    sizes = list(by_size(data))
    tokens = sorted({least for *_, fail in sizes for least in fail})
    shown = [[states, signals, machines(states, signals), *(fail.get(least) for least in tokens),
              2 * joint_states(states, signals) + 2] for states, signals, fail in sizes]
    return table(shown, ["states", "signals", "machines", f"{tokens[0]} tokens",
                         *map(str, tokens[1:]), "tokens by the theorem"])


def add_to(paper):
    paper.series("finite-machines")(played)
    paper.figure("finite-machines")(figure)
    paper.block("finite-machines")(block)
