#!/usr/bin/env python3
"""arms.py DATA SET LANGUAGE PREFIX [ENCODER]: a labelled set with its dense arms, as two COPY files.

Writes PREFIX.documents (id, session, text, and a vector for each arm) and PREFIX.queries (text, evidence, and the vectors) of the
half of the queries that nothing was tuned on. random: vectors that know nothing. words: the mean of a text's word vectors, a weak
arm. good: a query's vector is that of its evidence with noise, as a model's would be that mostly understands. encoder: those of
the sentence encoder in the folder ENCODER, which keeps what it has encoded; NULL without one. squeezed: the same, with every
cosine c as .8 + .1 c, as models have them whose cosines lie between .7 and .9."""
import gzip
import hashlib
import json
import math
import os
import random
import re
import subprocess
import sys
import zlib

from word_vectors import DIMENSIONS, WordVectors, unit

data, name, language, prefix = sys.argv[1:5]
encoder = sys.argv[5] if len(sys.argv) > 5 else ""
chance = random.Random(4711)


def read(kind):
    with gzip.open(f"{data}/{name}.{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if language in ("", row.get("lang", ""))]


def kept_aside(query):
    return zlib.crc32(query["id"].encode()) & 1


def direction():
    return [chance.gauss(0, 1) for _ in range(DIMENSIONS)]


def mean_of_words(text):
    """A text without known words points anywhere."""
    return words.mean(text) or unit(direction())


def encoded(texts):
    """A vector for each text; None for each without an encoder."""
    if not encoder:
        return [None] * len(texts)
    lines = "".join(json.dumps(text) + "\n" for text in texts).encode()
    kept = f"{encoder}/{hashlib.sha256(lines).hexdigest()}.vectors"
    if not os.path.exists(kept):
        vectors = subprocess.run(["node", "encode.js"], cwd=encoder, input=lines, stdout=subprocess.PIPE, check=True).stdout
        with open(kept + ".new", "wb") as out:
            out.write(vectors)
        os.rename(kept + ".new", kept)
    with open(kept, encoding="utf-8") as lines:
        return [unit(json.loads(line)) for line in lines]


def squeezed(vector, place):
    """Of a document (place 1) and of a query (place 2): two numbers more, of which one is the same for all."""
    if vector is None:
        return None
    own = [0.0, 0.0]
    own[place - 1] = math.sqrt(0.1)
    return [math.sqrt(0.1) * x for x in vector] + [math.sqrt(0.8)] + own


def written(*columns):
    fields = []
    for column in columns:
        if isinstance(column, list):
            column = "[" + ",".join(f"{x:.5f}" for x in column) + "]"
        fields.append("\\N" if column is None else re.sub(r"[\t\n\r\\]", " ", column))
    return "\t".join(fields) + "\n"


words = WordVectors(data)
documents, queries = read("docs"), read("queries")
meaning = {row["id"]: unit(direction()) for row in documents}
with open(prefix + ".documents", "w", encoding="utf-8") as out:
    for row, vector in zip(documents, encoded([row["text"] for row in documents])):
        out.write(written(row["id"], row.get("session") or None, row["text"], unit(direction()), mean_of_words(row["text"]),
                          meaning[row["id"]], vector, squeezed(vector, 1)))
with open(prefix + ".queries", "w", encoding="utf-8") as out:
    for row, vector in zip(queries, encoded([row["text"] for row in queries])):
        evidence = [one for one in row["evidence"] if one in meaning]
        if not evidence or not kept_aside(row):
            continue
        known = unit([sum(x) for x in zip(*(meaning[one] for one in evidence))])
        noise = unit(direction())
        good = [x + 2.2 * y for x, y in zip(known, noise)]
        out.write(written(row["text"], "{" + ",".join(json.dumps(one) for one in evidence) + "}", unit(direction()),
                          mean_of_words(row["text"]), unit(good), vector, squeezed(vector, 2)))
