"""The memory of agents in PostgreSQL: the functions of the extension `memory`, typed. Frameworks' adapters are modules beside this."""

from .memory import AsyncMemory, Memory
from .results import (
    Block,
    BlockVersion,
    Episode,
    Fact,
    FoundItem,
    Item,
    ItemPath,
    Message,
    Numbered,
    Path,
    Recalled,
    RecalledFact,
    Session,
    Summary,
)
from .shards import shard_of

__all__ = [
    "AsyncMemory",
    "Block",
    "BlockVersion",
    "Episode",
    "Fact",
    "FoundItem",
    "Item",
    "ItemPath",
    "Memory",
    "Message",
    "Numbered",
    "Path",
    "Recalled",
    "RecalledFact",
    "Session",
    "Summary",
    "shard_of",
]
