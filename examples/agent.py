"""An agent that remembers: a loop over what a person says, with a model that is a script, so that no key is needed. In the place of `model` stands a
call of a real one with the same prompt.

    createdb agent && psql agent -c 'CREATE EXTENSION memory CASCADE' -c 'SELECT memory.init()'
    PGDATABASE=agent python agent.py
"""

import datetime
import os
import re

from memory_postgresql import Memory

memory = Memory(os.environ.get("DATABASE_URL", ""), user="ada")


def model(prompt: str, said: str) -> tuple[str, list[tuple[str, str, str]]]:
    """What it says, and what it has learnt: subject, predicate, object."""
    if "window seat" in said:
        return "I will remember the window.", [("Ada", "prefers", "a window seat")]
    if "moved to Paris" in said:
        return "Bienvenue!", [("Ada", "lives in", "Paris")]
    if "Book" in said:
        seat, home = re.search(r"Ada prefers ([^.<\n]*)", prompt), re.search(r"Ada lives in ([^.<\n]*)", prompt)
        return f"Booked: from {home[1] if home else 'where?'}, with {seat[1] if seat else 'any seat'}.", []
    return "Tell me more.", []


def turn(session: str, said: str) -> None:
    prompt = memory.context(said, 500, session_id=session)
    answer, facts = model(prompt, said)
    memory.add_messages(session, [{"role": "user", "content": said}, {"role": "assistant", "content": answer}])
    for fact in facts:
        memory.assert_fact(*fact)
    print(f"ada> {said}\nagent> {answer}")


memory.assert_fact("Ada", "lives in", "Vienna", valid_from=datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc))
for said in "Hello.", "On night trains I like a window seat.", "I moved to Paris.":
    turn("monday", said)
print("-- another day, another conversation")
turn("tuesday", "Book the usual to Berlin.")
print("recalled:", ", ".join(one.content for one in memory.recall("night trains", 1, context_weight=0)))
print("homes:", ", ".join(sorted(fact.object for fact in memory.facts("Ada", "lives in", valid_at=None))))
memory.close()
