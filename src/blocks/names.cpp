// A block `a` and a block `a/b` exclude each other, and no index knows that. So a call shares the
// names of the directories that its block lies in, and has the block's own name for itself: what
// makes `a` waits for what makes `a/b`, calls about `a/b` and `a/c` run side by side, and what
// renames or deletes the directory `a` waits for all that lies below, and they for it.
#include "blocks/names.h"

#include "access/queue.h"
#include "blocks/sql.h"
#include "pg/memory.h"
#include "pg/stale.h"
#include "pg/statement.h"

#include <string>
#include <vector>

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

constexpr char table[] = "blocks";

// As many locks a name takes at most: names that are longer are locked by as many segments. A lock
// has room in memory that all sessions share, and a name could have 512 segments.
constexpr std::size_t deepest_lock = 8;

// Tells any two states of a name and of what lies above ($6) and below it apart.
MEMORY_STATEMENT(digest_names, R"(
    SELECT count(*), coalesce(sum(hashtextextended(
        concat_ws('/', b.key::text, b.version::text, b.name), 0)), 0)::text
    FROM memory.blocks b
    WHERE {tenant:b} AND (b.name = $3 OR ({between:b,$4,$5}) OR b.name = ANY ($6)))"_sql);

MEMORY_STATEMENT(digest_places, R"(
    SELECT count(*), coalesce(sum(hashtextextended(
        concat_ws('/', b.key::text, b.place::text), 0)), 0)::text
    FROM memory.blocks b WHERE {tenant:b} AND b.place IS NOT NULL)"_sql);

// $6: the directories that $3 lies in.
MEMORY_STATEMENT(find_taken, R"(
    SELECT b.name FROM memory.blocks b
    WHERE {tenant:b} AND (b.name = $3 OR ({between:b,$4,$5}) OR b.name = ANY ($6))
    ORDER BY b.name LIMIT 1)"_sql);

MEMORY_STATEMENT(find_next_place, R"(
    SELECT coalesce(max(b.place) + 1, 0) FROM memory.blocks b
    WHERE {tenant:b} AND b.place IS NOT NULL)"_sql);

using Strings = std::pmr::vector<std::string_view>;

Strings directories_of(std::string_view name, std::pmr::memory_resource *memory) {
    Strings directories(memory);
    editing::each_directory(name,
                            [&](std::string_view directory) { directories.push_back(directory); });
    return directories;
}

// As the parameters of digest_names and find_taken.
pg::Values around(const access::Tenant &tenant, std::string_view name) {
    pg::ContextResource memory(CurrentMemoryContext);
    const Below below(name);
    const Strings directories = directories_of(name, &memory);
    return {tenant, name, below.from, below.to, directories};
}

std::pair<std::int64_t, std::string_view> digest(pg::Statement &statement, SnapshotOf snapshot,
                                                 const pg::Values &values) {
    const auto [count, hash] = statement.run(snapshot, values).get<pg::Int8, pg::Text>(0);
    return {count, pg::copied_text(hash)};
}

std::string_view with_last(std::string_view name, char last) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string longer(name, &memory);
    longer.push_back(last);
    return pg::copied_text(longer);
}

} // namespace

std::string_view checked_name(const pg::Given<std::string_view> &given) {
    const std::string_view name = given.not_empty().at_most(access::longest_name).required();
    const editing::Fault fault = editing::fault_in(name);
    if (fault == editing::Fault::none)
        return name;
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s has %s", given.place().text().data(),
                    fault == editing::Fault::empty_segment ? "an empty segment"
                                                           : "a segment . or ..")
        .hint("A name is a path: segments joined by /, none of them empty, . or ..");
}

Below::Below(std::string_view directory)
    : from(with_last(directory, '/')), to(with_last(directory, '/' + 1)) {}

void lock_names(const access::Tenant &tenant, std::initializer_list<std::string_view> names) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<access::NameLock> locks(&memory);
    for (const std::string_view name : names) {
        const std::string_view locked = editing::first_segments(name, deepest_lock);
        editing::each_directory(locked, [&](std::string_view directory) {
            locks.push_back({directory, true});
        });
        locks.push_back({locked, false});
    }
    access::queue_names(tenant, table, locks);
    for (const std::string_view name : names) {
        const pg::Values values = around(tenant, name);
        pg::check_fresh([&](SnapshotOf snapshot) { return digest(digest_names, snapshot, values); },
                        "blocks of this name, above or below it have changed");
    }
}

void lock_places(const access::Tenant &tenant) {
    access::queue(tenant, table);
    pg::check_fresh([&](SnapshotOf snapshot) { return digest(digest_places, snapshot, {tenant}); },
                    "other blocks have been pinned");
}

void check_free(const access::Tenant &tenant, std::string_view name) {
    const pg::Rows rows = find_taken.run(SnapshotOf::now, around(tenant, name));
    if (rows.empty())
        return;
    const std::string_view taken = rows.get<pg::Text>(0);
    const pg::Quoted quoted(name);
    const pg::Quoted other(taken);
    if (taken == name)
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "block \"%.*s\" is there already", quoted.length,
                        quoted.text);
    if (editing::is_below(taken, name))
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "\"%.*s\" is a directory", quoted.length,
                        quoted.text)
            .detail("Block \"%.*s\" is in it.", other.length, other.text);
    throw pg::Error(ERRCODE_UNIQUE_VIOLATION,
                    "block \"%.*s\" cannot be in \"%.*s\", which is a block", quoted.length,
                    quoted.text, other.length, other.text);
}

std::int64_t next_place(const access::Tenant &tenant) {
    return find_next_place.run(SnapshotOf::now, {tenant}).get<pg::Int8>(0);
}

} // namespace memory::blocks
