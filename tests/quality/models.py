#!/usr/bin/env python3
"""models.py DATA WORK [SET…]: the default call with each kind of model, on every labelled set, or on these.

Each set is written three times, into namespaces of its own: with no model; with use_model('embed', 'hash'); and with a model of
word vectors that a server here has, speaking /embeddings, which memory-worker asks. Queries are asked by memory.recall_scored
with its defaults; in the last namespace with the vector that the server has for the query, as an application would. A row of a
table for each set: recall@10 and, in brackets, how often the first row is right. English alone has word vectors.

MEMORY_WORKER is the program; psql finds the database. MOST_QUERIES asks so many of a set and no more: those with the least hashes of
their ids."""
import hashlib
import json
import os
import subprocess
import sys
import urllib.request

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../worker"))
import model_server  # noqa: E402
from sets import read, written  # noqa: E402
from word_vectors import DIMENSIONS, WordVectors, unit  # noqa: E402

ENGLISH = {"xquad en", "cranfield", "cacm", "friendsqa", "knowme", "realmem"}
SETS = [f"xquad {language}" for language in "ar de el en es hi ro ru th tr vi zh".split()] + [
    "cmrc2018_zh", "jsquad_ja", "iapp_th", "arcd_ar", "cranfield", "cacm", "friendsqa", "knowme", "realmem"]
MODEL = "word-vectors"
MOST_QUERIES = int(os.environ.get("MOST_QUERIES", "1000000"))

data, work = sys.argv[1:3]
words = WordVectors(data)


def vector_of(text):
    """A text without known words points anywhere, but always there."""
    digest = hashlib.shake_128(text.encode()).digest(DIMENSIONS)
    return words.mean(text) or unit([byte - 127.5 for byte in digest])


def user_of(name, row):
    """Scenes of a series are sessions of one user."""
    return row.get("user", "set") if name in ("knowme", "realmem") else "set"


def asked(server, texts):
    """Their vectors, as an application has them."""
    request = urllib.request.Request(
        server.url + "/embeddings", json.dumps({"model": MODEL, "input": texts}).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return [element["embedding"] for element in json.load(answer)["data"]]


def write(name, server):
    """Two files for COPY: documents, and the queries that have evidence."""
    documents = [row for row in read(data, name, "docs") if row["text"]]
    known = {row["id"] for row in documents}
    with open(f"{work}/documents", "w", encoding="utf-8") as out:
        for row in documents:
            out.write(written(row["id"], user_of(name, row), row.get("session") or None, row.get("ts") or None, row["text"]))
    queries = [row for row in read(data, name, "queries") if known.intersection(row["evidence"])]
    queries = sorted(queries, key=lambda row: hashlib.sha256(row["id"].encode()).digest())[:MOST_QUERIES]
    vectors = asked(server, [row["text"] for row in queries]) if name in ENGLISH else [None] * len(queries)
    with open(f"{work}/queries", "w", encoding="utf-8") as out:
        for row, vector in zip(queries, vectors):
            evidence = [json.dumps(one) for one in row["evidence"] if one in known]
            out.write(written(user_of(name, row), row.get("until"), row.get("self"), row["text"],
                              "{" + ",".join(evidence) + "}", vector and json.dumps(vector)))


def psql(script, **variables):
    given = [part for name, value in variables.items() for part in ("-v", f"{name}={value}")]
    return subprocess.run(["psql", "-XqAt", "-F", "\t", "-v", "ON_ERROR_STOP=1", *given, "-f", script],
                          check=True, stdout=subprocess.PIPE, text=True).stdout


def row(name, server):
    write(name, server)
    here = os.path.dirname(__file__)
    with_vectors = name in ENGLISH
    psql(f"{here}/models_load.sql", documents=f"{work}/documents", url=server.url, model=MODEL, dimensions=DIMENSIONS,
         vectors="on" if with_vectors else "off")
    if with_vectors:
        subprocess.run([os.environ.get("MEMORY_WORKER", "memory-worker"), "--once", "--log", "none", "dbname=" + os.environ["PGDATABASE"]],
                       check=True)
    found = psql(f"{here}/models_ask.sql", queries=f"{work}/queries").strip().split("\n")
    return "| " + " | ".join([name, *found, *([""] * 2 if not with_vectors else [])]) + " |"


server = model_server.ModelServer()
model_server.vector_of = vector_of
for one in sys.argv[3:] or SETS:
    print(row(one, server), flush=True)
server.stop()
