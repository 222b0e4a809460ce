#!/usr/bin/env python3
"""How many near-duplicates memory.consolidate finds, and how many of its mergers are of texts with different labels.

    tests/quality/duplicates.py [--list] [DATA]     on the server of `. build/server.env`, in a database of its own

DATA is the directory with intents.docs.jsonl.gz (36,783 short questions with a label). Beside every tenth text a changed
copy is remembered, of one kind of change after the other. Prints, by kind, how many of the copies are in the cluster of
their original; and of all mergers how many are of two labels, those of two sets and those whose words are the same apart.
--list prints these one by one, with what the one has and the other has not.
"""
import gzip
import json
import os
import random
import string
import subprocess
import sys
from collections import Counter

arguments = [one for one in sys.argv[1:] if one != "--list"]
data = os.path.join(arguments[0] if arguments else os.environ.get("MEMORY_DATA", "/work/shared/data"), "intents.docs.jsonl.gz")
database = "memory_duplicates"


def changed_order(text, rng):
    words = text.split()
    rng.shuffle(words)
    return " ".join(words)


def edited(text, rng, edits):
    for _ in range(edits):
        at, letter = rng.randrange(len(text)), rng.choice(string.ascii_lowercase)
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + letter + text[at + 1:]
        elif kind == 1:
            text = text[:at] + text[at + 1:]
        elif kind == 2:
            text = text[:at] + letter + text[at:]
        else:
            text = text[:at] + text[at + 1:at + 2] + text[at] + text[at + 2:]
    return text


def without_word(text, rng):
    words = text.split()
    del words[rng.randrange(len(words))]
    return " ".join(words)


changes = {
    "case": lambda text, rng: text.upper() if text != text.upper() else text.lower(),
    "punctuation": lambda text, rng: text.replace(" ", ", ", 1).rstrip("?!. ") + " ...!",
    "order of words": changed_order,
    "one edit": lambda text, rng: edited(text, rng, 1),
    "two edits": lambda text, rng: edited(text, rng, 2),
    "a word less": without_word,
}


def psql(sql, **how):
    return subprocess.run(["psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-d", how.get("to", database), "-c", sql], check=True, capture_output=True, text=True, input=how.get("input")).stdout


def load(episodes):
    psql(f"DROP DATABASE IF EXISTS {database}", to="postgres")
    psql(f"CREATE DATABASE {database}", to="postgres")
    psql("SET client_min_messages = error; CREATE EXTENSION memory CASCADE; SELECT memory.init()")
    rows = "".join(json.dumps(e).replace("\\", "\\\\") + "\n" for e in episodes)
    psql("CREATE TABLE raw (e jsonb)")
    psql("COPY raw FROM STDIN", input=rows)
    psql("INSERT INTO memory.episodes (user_id, id, content, occurred_at) SELECT 'u', ('00000000-0000-7000-8000-' || lpad(to_hex((e ->> 'n')::bigint), 12, '0'))::uuid, e ->> 'text', '2026-01-01'::timestamptz + (e ->> 'n')::int * interval '1 second' FROM raw")


def main():
    if not os.path.exists(data):
        print(f"skipped: {data} is not there")
        return
    rng = random.Random(20261119)
    with gzip.open(data, "rt") as lines:
        texts = [json.loads(line) for line in lines]
    episodes = [dict(text=t["text"], label=t["label"], set=t["id"].split("-")[0]) for t in texts]
    kinds = list(changes)
    for n in range(0, len(texts), 10):
        kind = kinds[n // 10 % len(kinds)]
        if len(texts[n]["text"].split()) < 3:
            continue
        episodes.append(dict(text=changes[kind](texts[n]["text"], rng), label=texts[n]["label"], set=episodes[n]["set"], of=n, kind=kind))
    for n, episode in enumerate(episodes):
        episode["n"] = n
    load(episodes)
    before = psql("SELECT clock_timestamp()")
    answer = psql("SELECT kept, merged FROM memory.consolidate(user_id => 'u')")
    seconds = float(psql(f"SELECT extract(epoch FROM clock_timestamp() - '{before.strip()}'::timestamptz)"))

    def number(uuid):
        return int(uuid[-12:], 16)

    cluster, mergers = {}, []
    for line in answer.splitlines():
        kept, merged = line.split("|")
        cluster[number(kept)] = number(kept)
        for one in merged.strip("{}").split(","):
            cluster[number(one)] = number(kept)
            mergers.append((number(kept), number(one)))
    print(f"{len(episodes)} episodes, {len(mergers)} mergers, {seconds:.1f} s")
    found_of_all, all_of_all = 0, 0
    for kind in kinds:
        copies = [e for e in episodes if e.get("kind") == kind]
        found = sum(cluster.get(e["n"], -1) == cluster.get(e["of"], -2) for e in copies)
        found_of_all, all_of_all = found_of_all + found, all_of_all + len(copies)
        print(f"{kind}: {found} of {len(copies)} found, {100 * found / len(copies):.1f} %")
    print(f"all: {found_of_all} of {all_of_all} found, {100 * found_of_all / all_of_all:.1f} %")

    def words(n):
        return sorted("".join(c if c.isalnum() else " " for c in episodes[n]["text"].lower().replace("'", "")).split())

    false = [(a, b) for a, b in mergers if episodes[a]["label"] != episodes[b]["label"]]
    different = [(a, b) for a, b in false if words(a) != words(b)]
    print(f"across labels: {len(false)} mergers, {100 * len(false) / len(mergers):.2f} % of all mergers, {100 * len(false) / len(episodes):.2f} % of the episodes")
    across = set(false)
    within = [(a, b) for a, b in mergers if episodes[a]["set"] == episodes[b]["set"]]
    false_within = [pair for pair in within if pair in across]
    print(f"within one set, whose labels compare: {len(false_within)}, {100 * len(false_within) / len(within):.2f} % of {len(within)} mergers")
    print(f"without those of the same words: {len(different)}, {100 * len(different) / len(mergers):.2f} % and {100 * len(different) / len(episodes):.2f} %")
    if "--list" in sys.argv:
        for a, b in false:
            only_a, only_b = Counter(words(a)) - Counter(words(b)), Counter(words(b)) - Counter(words(a))
            kind = "the same words" if not only_a + only_b else "words in others' place" if only_a and only_b else "words less"
            print(f"{kind}: {' '.join(only_a.elements())} | {' '.join(only_b.elements())}")
            for n in (a, b):
                print(f"    {episodes[n]['set']} {episodes[n]['label']}: {episodes[n]['text']}")
    psql(f"DROP DATABASE {database}", to="postgres")


main()
