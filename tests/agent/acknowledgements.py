"""Counts the acknowledgements that a server had taken but not written when it was killed.

A server writes the state of a consumer some ten times a second. When it starts again, it brings
back what was acknowledged since, if it had not yet written that the message was removed: jobs that
were worked off, or moved on, for a second time. Acknowledgements are messages like others; whoever
listens to them before the server is killed, and reads the consumer's file afterwards, knows how
many these are.
"""

from nats_client import NatsClient

MAGIC, VERSION = 22, 2  # of the file


class ConsumerState:
    """What a server 2.9 has on disk about a consumer; without a file that makes sense, nothing."""

    def __init__(self, file):
        self.floor = 0  # everything up to here is acknowledged
        self.delivered = 0  # nothing beyond was given to anybody
        self.pending = set()
        try:
            self._read(file.read_bytes())
        except (FileNotFoundError, IndexError):
            self.floor = self.delivered = 0

    def _read(self, data):
        if len(data) < 2 or data[0] != MAGIC or data[1] != VERSION:
            return
        numbers = varints(data[2:])
        consumer_floor, floor, _, delivered, count = (next(numbers) for _ in range(5))
        pending = set()
        if count:
            next(numbers)  # a time
            for _ in range(count):
                pending.add(floor + next(numbers))
                next(numbers)
                next(numbers)
        del consumer_floor
        self.floor, self.delivered, self.pending = floor, delivered, pending

    def has(self, sequence):
        """Whether this message's acknowledgement is on disk."""
        return sequence <= self.floor or (sequence <= self.delivered
                                          and sequence not in self.pending)


def varints(data):
    at = 0
    while True:
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        yield value


class Acknowledgements:
    """Of one consumer of one server, across its restarts."""

    def __init__(self, stream, consumer):
        self.subject = f"$JS.ACK.{stream}.{consumer}.>"
        self.sequences = set()
        self.forgotten = 0
        self._client = None

    def listen(self, port, **options):
        """From now on; called whenever the server was started."""
        self.close()
        self._client = NatsClient(port, **options)
        self._client.subscribe(self.subject, self._note)
        self._client.flush()

    def close(self):
        if self._client:
            self._client.close()

    def _note(self, message):
        if message.data in (b"", b"+ACK"):
            self.sequences.add(int(message.subject.split(".")[5]))

    def count_forgotten(self, file, kept_of):
        """After the server was killed: how many acknowledgements it will not know of, and still has
        the messages. `file` holds the state of the consumer; `kept_of(sequences)`: those in the
        stream."""
        self._client.wait_until_over()
        state = ConsumerState(file)
        gone = kept_of({each for each in self.sequences if not state.has(each)})
        self.sequences -= gone
        self.forgotten += len(gone)
        return len(gone)
