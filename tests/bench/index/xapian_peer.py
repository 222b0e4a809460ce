"""Xapian: `xapian_peer.py build DATABASE TEXTS` or `xapian_peer.py query DATABASE QUERIES BUDGET tenant|shared`.

A tenant is a boolean term, a query is filtered by it. Prints as fts5.py does.
"""
import os
import sys
import time
from collections import Counter

import xapian


def build(path, texts):
    began = time.perf_counter()
    os.environ["XAPIAN_FLUSH_THRESHOLD"] = "200000"
    raw = path + ".raw"
    db = xapian.WritableDatabase(raw, xapian.DB_CREATE_OR_OVERWRITE | xapian.DB_NO_SYNC)
    for line in open(texts, encoding="utf-8"):
        number, tenant, body = line.rstrip("\n").split("\t")
        document = xapian.Document()
        for word, count in Counter(body.split()).items():
            document.add_term(word, count)
        document.add_boolean_term("XT" + tenant)
        db.replace_document(int(number), document)
    db.commit()
    db.compact(path, xapian.DBCOMPACT_SINGLE_FILE)
    print(time.perf_counter() - began, os.path.getsize(path))


def query(path, queries, budget, kind):
    db = xapian.Database(path)
    enquire = xapian.Enquire(db)
    enquire.set_weighting_scheme(xapian.BM25Weight(0.9, 0, 1, 0.4, 0.5))
    run(enquire, queries, budget, kind)
    print("\n".join(str(took) for took in run(enquire, queries, budget, kind)))


def run(enquire, queries, budget, kind):
    times = []
    started = time.perf_counter()
    for line in open(queries, encoding="utf-8"):
        tenant, words = line.rstrip("\n").split("\t")
        began = time.perf_counter()
        wanted = xapian.Query(xapian.Query.OP_OR, words.split())
        if kind == "tenant":
            wanted = xapian.Query(xapian.Query.OP_FILTER, wanted, xapian.Query("XT" + tenant))
        enquire.set_query(wanted)
        [match.docid for match in enquire.get_mset(0, 10)]
        ended = time.perf_counter()
        times.append(1000 * (ended - began))
        if ended - started > float(budget):
            break
    return times


{"build": build, "query": query}[sys.argv[1]](*sys.argv[2:])
