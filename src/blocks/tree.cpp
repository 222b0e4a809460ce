// memory.delete_block, memory.rename_block, memory.move_block: which blocks there are, and where.
#include "access/call.h"
#include "blocks/block.h"
#include "blocks/sql.h"
#include "blocks/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"

#include <algorithm>
#include <vector>

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

// How many there are of a name and below it, the one that is read-only, the longest name, and
// whether the name's own block is pinned (NULL: it has none).
MEMORY_STATEMENT(find_tree, R"(
    SELECT count(*), min(b.name) FILTER (WHERE b.read_only),
        coalesce(max(pg_catalog.octet_length(b.name)), 0)::bigint,
        bool_or(b.place IS NOT NULL) FILTER (WHERE b.name = $3)
    FROM memory.blocks b WHERE {in_tree:b})"_sql);

MEMORY_STATEMENT(delete_tree, "DELETE FROM memory.blocks b WHERE {in_tree:b}"_sql);

// $6 the other name, $7 the place of a block that is one itself.
MEMORY_STATEMENT(rename_tree, R"(
    UPDATE memory.blocks b
    SET name = $6 || pg_catalog.substr(b.name, pg_catalog.length($3) + 1), place = $7
    WHERE {in_tree:b})"_sql);

MEMORY_STATEMENT(find_place, R"(
    SELECT b.place FROM memory.blocks b WHERE {named:b})"_sql);

MEMORY_STATEMENT(find_pinned, R"(
    SELECT b.key, b.name, b.place, b.read_only FROM memory.blocks b
    WHERE {tenant:b} AND b.place IS NOT NULL ORDER BY b.place, b.name)"_sql);

// $3 keys, $4 places.
MEMORY_STATEMENT(set_places, R"(
    UPDATE memory.blocks b SET place = w.place
    FROM ROWS FROM (unnest($3::uuid[]), unnest($4::bigint[])) w (key, place)
    WHERE {tenant:b} AND b.key = w.key)"_sql);

struct Tree {
    std::int64_t count;
    std::optional<std::string_view> read_only;
    std::int64_t longest_name;
    std::optional<bool> pinned; // of a block; nothing for a directory
};

Tree tree_of(const access::Tenant &tenant, std::string_view name) {
    const Below below(name);
    const pg::Rows rows = find_tree.run(SnapshotOf::now, {tenant, name, below.from, below.to});
    const auto [count, read_only, longest, pinned] =
        rows.get<pg::Int8, std::optional<pg::Text>, pg::Int8, std::optional<pg::Bool>>(0);
    return {count, read_only ? std::optional(pg::copied_text(*read_only)) : std::nullopt, longest,
            pinned};
}

// The same where there must be one.
Tree found_tree(const access::Tenant &tenant, std::string_view name) {
    const Tree tree = tree_of(tenant, name);
    if (tree.count > 0)
        return tree;
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "there is no block \"%.*s\"", quoted.length,
                    quoted.text);
}

// All of it must be writable.
void check_all_writable(const Tree &tree) {
    if (tree.read_only)
        check_writable(*tree.read_only, true);
}

void check_target(std::string_view name, std::string_view new_name) {
    const pg::Quoted from(name);
    const pg::Quoted to(new_name);
    if (name == new_name)
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "\"%.*s\" has this name already", from.length,
                        from.text);
    if (editing::is_below(new_name, name))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "new_name: \"%.*s\" cannot come to lie below itself, as \"%.*s\"",
                        from.length, from.text, to.length, to.text);
}

void check_lengths(const Tree &tree, std::string_view name, std::string_view new_name) {
    const std::size_t longest =
        static_cast<std::size_t>(tree.longest_name) - name.size() + new_name.size();
    if (longest > access::longest_name)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "new_name: a name below it would be longer than %zu bytes",
                        access::longest_name);
}

// Its place under the other name. Only a block can have one, and only where its name has no /. One
// that is no file any more is pinned like a new one.
std::optional<std::int64_t> renamed_place(const access::Tenant &tenant, const Tree &tree,
                                          std::string_view name, std::string_view new_name) {
    const bool may_be_pinned = tree.pinned && !editing::is_file(new_name);
    const bool was_file = editing::is_file(name);
    if (!*tree.pinned && !(may_be_pinned && was_file))
        return std::nullopt;
    lock_places(tenant);
    if (!may_be_pinned)
        return std::nullopt;
    if (was_file)
        return next_place(tenant);
    return find_place.run(SnapshotOf::now, {tenant, name}).find<pg::Int8>(0, 0);
}

std::int64_t rename(const access::Tenant &tenant, std::string_view name,
                    std::string_view new_name) {
    const Tree tree = found_tree(tenant, name);
    check_all_writable(tree);
    check_free(tenant, new_name);
    check_lengths(tree, name, new_name);
    const auto place = tree.pinned ? renamed_place(tenant, tree, name, new_name) : std::nullopt;
    const Below below(name);
    rename_tree.write({tenant, name, below.from, below.to, new_name, place}, "blocks",
                      static_cast<std::uint64_t>(tree.count));
    return tree.count;
}

struct Pinned {
    pg_uuid_t key;
    std::int64_t place; // in the table
};
using Order = std::pmr::vector<Pinned>;

// All that are pinned, in order, and which of them is to move.
struct PinnedBlocks {
    Order order;
    std::size_t moved;
};

PinnedBlocks pinned_blocks(const access::Tenant &tenant, std::string_view name,
                           std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_pinned.run(SnapshotOf::now, {tenant});
    PinnedBlocks found{Order(memory), rows.size()};
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [key, other, place, read_only] =
            rows.get<pg::Uuid, pg::Text, pg::Int8, pg::Bool>(row);
        if (other == name) {
            check_writable(name, read_only);
            found.moved = row;
        }
        found.order.push_back({key, place});
    }
    return found;
}

[[noreturn]] void throw_without_place(const access::Tenant &tenant, std::string_view name) {
    found_tree(tenant, name);
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "\"%.*s\" is not pinned and has no place",
                    quoted.length, quoted.text);
}

// Writes the places of those whose place is another one now.
void write_places(const access::Tenant &tenant, const Order &order) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> keys(&memory);
    std::pmr::vector<std::int64_t> places(&memory);
    for (std::size_t n = 0; n < order.size(); ++n)
        if (order[n].place != static_cast<std::int64_t>(n)) {
            keys.push_back(order[n].key);
            places.push_back(static_cast<std::int64_t>(n));
        }
    if (!keys.empty())
        set_places.write({tenant, keys, places}, "blocks", keys.size());
}

} // namespace

MEMORY_CALL(memory_delete_block, "name text, recursive boolean, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    const bool recursive = call.boolean("recursive").or_else(false);
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    lock_names(tenant, {name});
    const Tree tree = tree_of(tenant, name);
    if (tree.count == 0)
        return call.result(tree.count);
    if (!tree.pinned && !recursive) {
        const pg::Quoted quoted(name);
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "\"%.*s\" is a directory", quoted.length,
                        quoted.text)
            .detail("Blocks in it: %lld.", static_cast<long long>(tree.count))
            .hint("recursive => true deletes all of them.");
    }
    check_all_writable(tree);
    if (tree.pinned.value_or(false))
        lock_places(tenant);
    const Below below(name);
    delete_tree.write({tenant, name, below.from, below.to}, "blocks",
                      static_cast<std::uint64_t>(tree.count));
    return call.result(tree.count);
}

MEMORY_CALL(memory_rename_block, "name text, new_name text, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    const std::string_view new_name = checked_name(call.text("new_name"));
    const access::Writing writing(call, room);
    lock_names(writing.tenant(), {name, new_name});
    check_target(name, new_name);
    return call.result(rename(writing.tenant(), name, new_name));
}

MEMORY_CALL(memory_move_block, "name text, place bigint, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    const auto given = call.bigint("place");
    const std::int64_t place = given.required();
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    lock_places(tenant);
    pg::ContextResource memory(CurrentMemoryContext);
    auto [order, moved] = pinned_blocks(tenant, name, &memory);
    if (moved == order.size())
        throw_without_place(tenant, name);
    given.between(0, static_cast<std::int64_t>(order.size()) - 1);
    const Pinned block = order[moved];
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(moved));
    order.insert(order.begin() + place, block);
    write_places(tenant, order);
    return call.nothing();
}

} // namespace memory::blocks
