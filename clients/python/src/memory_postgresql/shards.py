"""Which of many databases has a user (docs/scale.md)."""

from __future__ import annotations

import hashlib


def shard_of(user: str | None, shards: int) -> int:
    """memory.shard_of(user, shards), without asking a database. None is the anonymous user; shards is a power of two."""
    if user == "":
        raise ValueError("user must not be empty; None is the anonymous user")
    if shards <= 0 or shards & (shards - 1):
        raise ValueError(f"shards must be a power of two, not {shards}")
    return int.from_bytes(hashlib.sha256((user or "").encode()).digest()[:8], "big") % shards
