# The cases of cases.txt for clients in Python, and how an answer is compared with what is expected.
# A client is a function run(sql, arguments, name) that returns rows, with `name` where the statement
# is to be prepared on the server, and a function sqlstate(exception).
import datetime
import decimal
import json
import os
import re
import sys
import uuid

HERE = os.path.dirname(os.path.abspath(__file__))
POOLED = "pooled" in sys.argv[2:]
USER = sys.argv[1] + (" pooled" if POOLED else "")


VALUES = {
    "text": str,
    "float": float,
    "int": int,
    "small": int,
    "decimal": decimal.Decimal,
    "uuid": uuid.UUID,
    "json": json.loads,
    "time": lambda text: datetime.datetime.fromisoformat(text.replace("Z", "+00:00")),
    "interval": lambda text: datetime.timedelta(days=int(text)),
    "vector": str,
    "texts": lambda text: text[1:-1].split(","),
    "uuids": lambda text: [uuid.UUID(one) for one in text.split(",") if one],
}


class Case:
    def __init__(self, name):
        self.name, self.sql, self.arguments, self.columns, self.rows = name, "", [], [], []
        self.error, self.times, self.direct = None, 1, False


def read_cases():
    cases = []
    with open(os.path.join(HERE, "cases.txt"), encoding="utf-8") as lines:
        for line in lines:
            word, _, rest = line.rstrip("\n").partition(" ")
            if word == "case":
                cases.append(Case(rest))
            elif word == "sql":
                cases[-1].sql += rest.strip() + " "
            elif word == "arg":
                kind, _, value = rest.partition(" ")
                if kind == "user":
                    kind, value = "text", USER
                cases[-1].arguments.append((kind, None if value == "NULL" else VALUES[kind](value)))
            elif word == "columns":
                cases[-1].columns = rest.split()
            elif word == "row":
                cases[-1].rows.append(rest)
            elif word == "error":
                cases[-1].error = rest
            elif word == "times":
                cases[-1].times = int(rest)
            elif word == "direct":
                cases[-1].direct = True
    return [case for case in cases if not (case.direct and POOLED)]


def show(kind, value):
    if value is None:
        return "NULL"
    if kind == "float":
        return f"{value:.6f}"
    if kind == "bool":
        return "true" if value else "false"
    if kind == "time":
        try:
            utc = value.astimezone(datetime.timezone.utc)
        except (OverflowError, ValueError):  # what Python makes of an infinite time
            return str(value)
        return utc.strftime("%Y-%m-%dT%H:%M:%S.") + f"{utc.microsecond // 1000:03}Z"
    if kind == "list":
        return "{" + ",".join(map(str, value)) + "}"
    if kind == "json" and not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def placeholders(sql):
    """$1, $2, … as %s."""
    return re.sub(r"\$\d+", "%s", sql.replace("%", "%%"))


class Tap:
    def __init__(self):
        self.number, self.failed = 0, 0

    def test(self, good, name, detail=""):
        self.number += 1
        self.failed += not good
        print(f"{'ok' if good else 'not ok'} {self.number} - {name}")
        if not good:
            print("\n".join("#   " + line for line in detail.splitlines()))

    def same(self, got, expected, name):
        self.test(got == expected, name, "got\n" + "\n".join(got) + "\nexpected\n" + "\n".join(expected))

    def case(self, case, outcome):
        """outcome is rows, or the SQLSTATE of the error."""
        if isinstance(outcome, list):
            shown = [" | ".join(show(kind, value) for kind, value in zip(case.columns, row)) for row in outcome]
            self.same(shown, [f"error {case.error}"] if case.error else case.rows, case.name)
        else:
            self.same([f"error {outcome}"], [f"error {case.error}"] if case.error else case.rows, case.name)

    def end(self):
        print(f"1..{self.number}")
        sys.exit(1 if self.failed else 0)
