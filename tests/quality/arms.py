#!/usr/bin/env python3
"""arms.py DATA SET [LANGUAGE]: a labelled set with three dense arms, as two COPY files on stdout's place.

Writes PREFIX.documents (id, text, random, words, good) and PREFIX.queries (text, evidence, random, words, good).
random: vectors that know nothing. words: the mean of a text's word vectors, a weak arm. good: a query's vector is that of
its evidence with noise, as a model's would be that mostly understands."""
import gzip
import json
import math
import random
import re
import sys

data, name, language, prefix = sys.argv[1:5]
dimensions = 128
chance = random.Random(4711)


def read(kind):
    with gzip.open(f"{data}/{name}.{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if language in ("", row.get("lang", ""))]


def word_vectors():
    with gzip.open(f"{data}/vectors_en_128.txt.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            word, count, *values = line.split()
            yield word, (1 / (1 + int(count) / 5000), [float(value) for value in values])


def direction():
    return [chance.gauss(0, 1) for _ in range(dimensions)]


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector)) or 1
    return [x / length for x in vector]


def mean_of_words(text):
    """Rare words count for more; a text without known words points anywhere."""
    total = [0.0] * dimensions
    for word in re.findall(r"\w+", text.lower()):
        weight, vector = words.get(word, (0, None))
        if vector:
            total = [a + weight * b for a, b in zip(total, vector)]
    return unit(total) if any(total) else unit(direction())


def written(*columns):
    fields = []
    for column in columns:
        if isinstance(column, list):
            column = "[" + ",".join(f"{x:.5f}" for x in column) + "]"
        fields.append(re.sub(r"[\t\n\r\\]", " ", column))
    return "\t".join(fields) + "\n"


words = dict(word_vectors())
meaning = {}
with open(prefix + ".documents", "w", encoding="utf-8") as out:
    for row in read("docs"):
        meaning[row["id"]] = unit(direction())
        out.write(written(row["id"], row["text"], unit(direction()), mean_of_words(row["text"]), meaning[row["id"]]))
with open(prefix + ".queries", "w", encoding="utf-8") as out:
    for row in read("queries"):
        evidence = [one for one in row["evidence"] if one in meaning]
        if not evidence:
            continue
        known = unit([sum(x) for x in zip(*(meaning[one] for one in evidence))])
        noise = unit(direction())
        good = [x + 2.2 * y for x, y in zip(known, noise)]
        out.write(written(row["text"], "{" + ",".join(json.dumps(one) for one in evidence) + "}", unit(direction()),
                          mean_of_words(row["text"]), unit(good)))
