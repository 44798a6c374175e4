"""Writes loads of experts into this folder, as SGLang's recorder has them once they are JSON.

    python3 make.py && equipoise experts --loads hour.json --placement trivial --gpus 8 --slots 5

day.json has 24 steps, an hour each, of five layers of 32 experts; the first layer is dense and has
no loads. In each layer a few experts take much of the load, by Zipf's law. Which ones they are
drifts: slowly with the time of day, and by chance from hour to hour. hour.json is its tenth step,
alone: {"logical_count": [layers][experts]}."""
import json
import math
import random

HOURS, LAYERS, EXPERTS = 24, 5, 32
ZIPF = 0.7
draw = random.Random(1)


def layer():
    """The shares of the experts of a layer, hour by hour."""
    rank = draw.sample(range(EXPERTS), EXPERTS)
    logs = [-ZIPF * math.log(1 + place) for place in rank]
    swing = [draw.uniform(0, 0.5) for _ in range(EXPERTS)]
    peak = [draw.uniform(0, 24) for _ in range(EXPERTS)]
    for hour in range(HOURS):
        weights = [math.exp(log + far * math.cos(2 * math.pi * (hour - at) / 24))
                   for log, far, at in zip(logs, swing, peak)]
        yield [weight / sum(weights) for weight in weights]
        logs = [log + draw.gauss(0, 0.06) for log in logs]


def tokens(hour):
    """Tokens of the hour, each of which goes to four experts: fewest at four in the morning."""
    return 4 * round(1e6 * (1 - 0.6 * math.cos(2 * math.pi * (hour - 4) / 24)))


layers = [list(layer()) for _ in range(LAYERS - 1)]
dense = [0] * EXPERTS
day = [[dense] + [[round(share * tokens(hour)) for share in shares[hour]] for shares in layers]
       for hour in range(HOURS)]
for name, counts in (("day.json", day), ("hour.json", day[9])):
    with open(name, "w", encoding="utf-8") as file:
        json.dump({"logical_count": counts}, file)
        file.write("\n")
