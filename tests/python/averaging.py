"""A node program for channels that lose, duplicate and reorder: neighbours average by offers.

A node tells each neighbour its level, which leaves out what it has offered to others, and offers
half of the difference. The neighbour takes what leaves it no higher than that level, and answers.
Offers are numbered and repeated until they are answered; the tokens are taken over and handed
over apart from messages. So tokens move downhill only, and neighbours end at most 1 apart.
"""

import equipoise


@equipoise.node_program(kinds=("offer", "answer"), acknowledgement="answer")
class Averaging:
    patience = 20  # ticks

    def start(self, node):
        ports = range(node.degree)
        self.number = [0 for _ in ports]      # of the last offer sent
        self.open = [None for _ in ports]     # (number, level, amount) that is not answered
        self.told = [None for _ in ports]
        self.view = [None for _ in ports]     # the neighbour's load as last heard
        self.answered = [(0, 0) for _ in ports]  # number of the last offer heard, tokens taken
        self.offer(node)

    def offer(self, node):
        for port in range(node.degree):
            if self.open[port]:
                continue
            level = node.tokens - sum(offer[2] for offer in self.open if offer)
            view = self.view[port]
            amount = 0 if view is None else max(0, (level - view) // 2)
            if level == self.told[port] and amount == 0:
                continue
            self.number[port] += 1
            self.told[port] = level
            self.open[port] = (self.number[port], level, amount)
            node.send(port, *self.open[port], kind="offer")
        if any(self.open):
            node.wake_after(self.patience)

    def receive(self, node, port, message):
        if message.kind == "offer":
            number, level, amount = message.fields
            last, taken = self.answered[port]
            if number < last:
                return self.offer(node)
            if number > last:
                own = node.tokens
                taken = min(amount, max(0, (level - own) // 2))
                node.take_over(port, taken)
                self.answered[port] = (number, taken)
                self.view[port] = level - taken
            node.send(port, number, taken, node.tokens, kind="answer")
        else:
            number, taken, load = message.fields
            if self.open[port] and number == self.open[port][0]:
                node.hand_over(port, taken)
                self.open[port] = None
                self.view[port] = load
        self.offer(node)

    def timer(self, node):
        for port, offer in enumerate(self.open):
            if offer:
                node.send(port, *offer, kind="offer")
        if any(self.open):
            node.wake_after(self.patience)
