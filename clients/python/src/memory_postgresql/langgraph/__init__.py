"""LangGraph over memory: a checkpointer over its checkpoints, a store over its items."""

from ._saver import AsyncSaver, Saver
from ._store import AsyncStore, Store

__all__ = ["AsyncSaver", "AsyncStore", "Saver", "Store"]
