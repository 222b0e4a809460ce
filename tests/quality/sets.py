"""The labelled sets, as the measurements through a database read and write them."""
import gzip
import json
import re


def read(data, name, kind):
    """Lines of a set: `docs` or `queries`. A name may have a language behind it."""
    base, _, language = name.partition(" ")
    with gzip.open(f"{data}/{base}.{kind}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [row for row in map(json.loads, lines) if language in ("", row.get("lang", ""))]


def written(*columns):
    """A line for COPY."""
    return "\t".join("\\N" if column is None else re.sub(r"[\t\n\r\\]", " ", column) for column in columns) + "\n"
