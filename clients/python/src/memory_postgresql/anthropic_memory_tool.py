"""Anthropic's memory tool: a file under /memories is a block of that name. A command is a transaction.

What it answers is worded as by the SDK's own tool over files.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import psycopg
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.types.beta import (
    BetaMemoryTool20250818CreateCommand,
    BetaMemoryTool20250818DeleteCommand,
    BetaMemoryTool20250818InsertCommand,
    BetaMemoryTool20250818RenameCommand,
    BetaMemoryTool20250818StrReplaceCommand,
    BetaMemoryTool20250818ViewCommand,
)

from ._calls import awaited, sync
from ._database import AsyncDatabase, AsyncSource, Database, Row, Source, Steps, call

ROOT = "/memories"
MOST_LINES = 999999


class Commands:
    def viewed(self, command: BetaMemoryTool20250818ViewCommand) -> Steps[str]:
        path, name = command.path, checked(command.path)
        for row in (yield call("block", name=name)):
            lines = row["content"].split("\n")
            if len(lines) > MOST_LINES:
                raise ToolError(f"File {path} exceeds maximum line limit of {MOST_LINES:,} lines.")
            first, last = command.view_range or (1, -1)
            return f"Here's the content of {path} with line numbers:\n" + numbered(lines, max(1, first), len(lines) if last == -1 else last)
        # What lies deeper is rolled up: of depth 1 come the directories of the first level, of depth 2 those of the second.
        rows: list[Row] = []
        for depth in (1, 2):
            rows += yield call("blocks", prefix=name, depth=depth, with_content=False)
        if not rows and name != ROOT:
            raise missing(path)
        below = {tuple(row["name"][len(name) + 1 :].split("/")): row for row in rows}
        listed = [(sum(row["chars"] for segments, row in below.items() if len(segments) == 1), path)]
        listed += [
            (row["chars"], "/".join([path.rstrip("/"), *segments]) + "/" * (row["version"] is None))
            for segments, row in sorted(below.items())
            if not any(one.startswith(".") for one in segments)
        ]
        head = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:\n"
        return head + "\n".join(f"{size(chars)}\t{path}" for chars, path in listed)

    def created(self, command: BetaMemoryTool20250818CreateCommand) -> Steps[str]:
        with refused({"23505": f"File {command.path} already exists"}):
            yield call("set_block", name=checked(command.path), content=command.file_text, expected_version=0)
        return f"File created successfully at: {command.path}"

    # Which line has changed is told by what the history has before the edit.
    def replaced(self, command: BetaMemoryTool20250818StrReplaceCommand) -> Steps[str]:
        path, name, old, new = command.path, checked(command.path), command.old_str, command.new_str

        def misplaced(error: psycopg.Error) -> str:
            lines = re.search(r"lines: (.*)\.", error.diag.message_detail or "")
            if lines:
                return f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: {lines[1]}. Please ensure it is unique"
            return f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}."

        yield from content_of(path)
        with refused({"22023": misplaced}):
            yield call("edit_block", name=name, new=new, old=old)
        versions = yield call("block_history", name=name, k=2)
        before = versions[-1 if old != new else 0]["content"]
        line = before[: before.index(old)].count("\n") + 1
        head = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
        return head + numbered(versions[0]["content"].split("\n"), max(1, line - 2), line + 2)

    # A file ends with a line feed from then on, as with the SDK.
    def inserted(self, command: BetaMemoryTool20250818InsertCommand) -> Steps[str]:
        path, name, line = command.path, checked(command.path), command.insert_line
        content = yield from content_of(path)
        with refused({"22023": f"Invalid `insert_line` parameter: {line}. It should be within the range [0, {lines_in(content)}]."}):
            yield call("edit_block", name=name, new=command.insert_text.rstrip("\n"), line=line)
        if not (yield from content_of(path)).endswith("\n"):
            yield call("append_block", name=name, content="\n")
        return f"The file {path} has been edited."

    def deleted(self, command: BetaMemoryTool20250818DeleteCommand) -> Steps[str]:
        if checked(command.path) == ROOT:
            raise ToolError(f"Cannot delete the {ROOT} directory itself")
        with refused():
            (row,) = yield call("delete_block", name=checked(command.path), recursive=True)
        if not next(iter(row.values())):
            raise ToolError(f"The path {command.path} does not exist")
        return f"Successfully deleted {command.path}"

    def renamed(self, command: BetaMemoryTool20250818RenameCommand) -> Steps[str]:
        old, new = checked(command.old_path), checked(command.new_path)
        if not (yield call("blocks", prefix=old, with_content=False)):
            raise ToolError(f"The path {command.old_path} does not exist")
        with refused({"23505": f"The destination {command.new_path} already exists"}):
            yield call("rename_block", name=old, new_name=new)
        return f"Successfully renamed {command.old_path} to {command.new_path}"

    def cleared(self) -> Steps[str]:
        yield call("delete_block", name=ROOT, recursive=True)
        return "All memory cleared"


def content_of(path: str) -> Steps[str]:
    for row in (yield call("block", name=checked(path))):
        return str(row["content"])
    if (yield call("blocks", prefix=checked(path), with_content=False)):
        raise ToolError(f"The path {path} is not a file.")
    raise missing(path)


def checked(path: str) -> str:
    if not path.startswith(ROOT):
        raise ToolError(f"Path must start with {ROOT}, got: {path}")
    if ".." in path.split("/") or path[len(ROOT) : len(ROOT) + 1] not in ("", "/"):
        raise ToolError(f"Path {path} would escape {ROOT} directory")
    return path.rstrip("/")


def missing(path: str) -> ToolError:
    return ToolError(f"The path {path} does not exist. Please provide a valid path.")


# What the database refuses the model is told in its words: a block over its limit, a read-only one, a name with an empty segment.
@contextlib.contextmanager
def refused(texts: Mapping[str, str | Callable[[psycopg.Error], str]] | None = None) -> Iterator[None]:
    try:
        yield
    except psycopg.Error as error:
        if error.sqlstate is None:
            raise
        text = (texts or {}).get(error.sqlstate) or ". ".join(filter(None, [error.diag.message_primary, error.diag.message_detail]))
        raise ToolError(text(error) if callable(text) else text) from error


# A line feed belongs to the line that it ends.
def lines_in(content: str) -> int:
    return len(content.removesuffix("\n").split("\n")) if content else 0


def numbered(lines: list[str], first: int, last: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines[first - 1 : last], start=first))


# Of characters, which blocks count.
def size(chars: int) -> str:
    power = min(max(chars.bit_length() - 1, 0) // 10, 3)
    return f"{chars / 1024**power:.1f}".removesuffix(".0") + "BKMG"[power]


class MemoryTool(Commands, BetaAbstractMemoryTool):
    """Through a connection or a pool of psycopg: `client.beta.messages.tool_runner(tools=[MemoryTool(pool, user="ada")], …)`."""

    def __init__(self, source: Source, *, user: str | None, namespace: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.database = Database(source, user, namespace)

    view, create, str_replace, insert = sync(Commands.viewed), sync(Commands.created), sync(Commands.replaced), sync(Commands.inserted)
    delete, rename, clear_all_memory = sync(Commands.deleted), sync(Commands.renamed), sync(Commands.cleared)


class AsyncMemoryTool(Commands, BetaAsyncAbstractMemoryTool):
    """The same through asynchronous connections."""

    def __init__(self, source: AsyncSource, *, user: str | None, namespace: str | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.database = AsyncDatabase(source, user, namespace)

    view, create, str_replace = awaited(Commands.viewed), awaited(Commands.created), awaited(Commands.replaced)
    insert, delete, rename = awaited(Commands.inserted), awaited(Commands.deleted), awaited(Commands.renamed)
    clear_all_memory = awaited(Commands.cleared)
