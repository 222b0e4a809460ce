// memory.delete_items and memory.touch_items.
//
// Both lock their rows first, in the order of their places, as memory.put_items() does: whatever
// calls meet, none waits for one that waits for it.
#include "access/call.h"
#include "access/direct.h"
#include "items/choice.h"
#include "items/sql.h"
#include "items/tables.h"
#include "pg/statement.h"

namespace memory::items {

namespace {

using pg::SnapshotOf;

// Those that have expired go as well, and do not count.
MEMORY_STATEMENT(lock_to_delete, R"(
    SELECT i.id, {not_expired:i} FROM memory.items i WHERE {chosen:i}
    ORDER BY {place:i} FOR UPDATE)"_sql,
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(lock_to_touch, R"(
    SELECT i.id, true FROM memory.items i
    WHERE {chosen:i} AND {not_expired:i} AND i.ttl IS NOT NULL
    ORDER BY {place:i} FOR NO KEY UPDATE)"_sql,
                 pg::Statement::for_each_values);

// Of a few each by itself: without statistics the planner would look for them among all of the
// user's.
MEMORY_STATEMENT(delete_one, R"(
    DELETE FROM memory.items i WHERE {tenant:i} AND i.id = $3)"_sql,
                 pg::Statement::once);
MEMORY_STATEMENT(touch_one, R"(
    UPDATE memory.items i SET expires_at = (now() + i.ttl)
    WHERE {tenant:i} AND i.id = $3)"_sql,
                 pg::Statement::once);
MEMORY_STATEMENT(delete_many, R"(
    DELETE FROM memory.items i WHERE {tenant:i} AND i.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(touch_many, R"(
    UPDATE memory.items i SET expires_at = (now() + i.ttl)
    WHERE {tenant:i} AND i.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);
constexpr std::size_t a_few = 64;

// What is done to items: their lock, and the change of one and of many.
struct Change {
    pg::Statement &lock;
    pg::Statement &one;
    pg::Statement &many;
};

void write(const Change &change, const access::Tenant &tenant, std::span<const pg_uuid_t> ids) {
    if (ids.size() > a_few) {
        change.many.write({tenant, ids}, "items", ids.size());
        return;
    }
    for (const pg_uuid_t &id : ids)
        change.one.write({tenant, id}, "items");
}

// Locks what is chosen and does that with it. Returns how many of them had not expired.
std::int64_t apply(const Change &change, const access::Tenant &tenant, const Choice &choice) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    std::int64_t there = 0;
    const pg::Rows rows = change.lock.run(SnapshotOf::now, {tenant, choice});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [id, visible] = rows.get<pg::Uuid, pg::Bool>(row);
        ids.push_back(id);
        there += visible ? 1 : 0;
    }
    write(change, tenant, ids);
    return there;
}

} // namespace

MEMORY_CALL(memory_delete_items, "prefix text[], keys text[], filter jsonb, before timestamptz,"
                                 " exact boolean, user_id text") {
    Choice choice;
    const auto prefix = checked_path(call.list("prefix"));
    choice.prefix = prefix.value_or(Path{});
    choice.exact = call.boolean("exact").or_else(false);
    choice.keys = checked_keys(call.list("keys"));
    choice.filter = filter::conditions_of(call.json("filter"));
    choice.before = call.instant("before");
    if (!prefix && !choice.keys && !call.json("filter") && !choice.before)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED,
                        "prefix, keys, filter and before must not all be null")
            .hint("prefix => '{}' deletes all items of the user.");
    if (choice.exact && !prefix)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED,
                        "prefix must not be null where exact is true")
            .hint("exact is about the path that the prefix is.");
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    return call.result(
        apply({access::writing(lock_to_delete, tenant), access::erasing(delete_one, tenant),
               access::erasing(delete_many, tenant)},
              tenant, choice));
}

MEMORY_CALL(memory_touch_items, "prefix text[], keys text[], user_id text") {
    Choice choice;
    choice.prefix = required_path(call.list("prefix"));
    choice.keys = checked_keys(call.list("keys"));
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    return call.result(
        apply({access::writing(lock_to_touch, tenant), access::writing(touch_one, tenant),
               access::writing(touch_many, tenant)},
              tenant, choice));
}

} // namespace memory::items
