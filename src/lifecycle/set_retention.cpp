// memory.set_retention(): a rule of the namespace, and the ends of what was written before it.
#include "access/call.h"
#include "access/owned_tables.h"
#include "lifecycle/sql.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "retention/rules.h"
#include "retention/tables.h"

namespace memory::lifecycle {

namespace {

using pg::SnapshotOf;
using retention::Thing;

constexpr pg::Choice<Thing> things[]{
    {"episode", Thing::episode},
    {"session", Thing::session},
    {"checkpoint", Thing::checkpoint},
    {"run", Thing::run},
    {"item", Thing::item},
    {"block_version", Thing::block_version},
};

MEMORY_STATEMENT(store, R"(
    INSERT INTO memory.retention (namespace, thing, kind, ttl, half_life, keep)
    VALUES ($1, $2, $3, $4, $5, $6)
    ON CONFLICT (namespace, thing, kind) DO UPDATE
    SET ttl = excluded.ttl, half_life = excluded.half_life, keep = excluded.keep)"_sql);

// Of these kinds, or of all others where $3 is false: what has the end that ttl $4 gave it gets the
// one of ttl $5. What says itself when it expires keeps that, and so do episodes of messages.
MEMORY_STATEMENT(move_ends, R"(
    UPDATE memory.episodes e SET expires_at = (e.recorded_at + $5)
    WHERE e.namespace = $1 AND (e.kind = ANY ($2)) = $3
        AND (e.expires_at = (e.recorded_at + $4)
            OR ($4::interval IS NULL AND e.expires_at IS NULL))
        AND NOT EXISTS (SELECT FROM memory.messages m
                        WHERE m.namespace = e.namespace AND m.user_id = e.user_id
                            AND m.id = e.id))"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(move_ends_of_items, R"(
    UPDATE memory.items i SET ttl = $3, expires_at = (i.updated_at + $3)
    WHERE i.namespace = $1 AND (i.ttl = $2 OR ($2::interval IS NULL AND i.ttl IS NULL)))"_sql,
                 pg::Statement::for_each_values);

struct Given {
    Thing thing;
    std::string_view word;
    std::string_view kind; // empty: all
    retention::Rule rule;
};

template <class Call>
Given read_given(const Call &call) {
    const Thing thing = call.text("thing").one_of(things).required();
    const auto kind = call.text("kind").not_empty().at_most(access::longest_name);
    const auto half_life = call.interval("half_life").positive();
    const auto keep = call.bigint("keep").between(1, access::no_limit);
    const auto refuse_unless = [](bool has, const char *name, const char *of) {
        if (!has)
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "only %s have a %s", of, name);
    };
    refuse_unless(!kind || thing == Thing::episode, "kind", "episodes");
    refuse_unless(!half_life || thing == Thing::episode, "half_life", "episodes");
    refuse_unless(!keep || (thing != Thing::session && thing != Thing::run), "keep",
                  "episodes, checkpoints, items and versions of blocks");
    return {thing,
            call.text("thing").required(),
            kind.or_else(""),
            {call.interval("ttl").positive().optional(), half_life.optional(), keep.optional()}};
}

// Kinds of episodes that one change is about, and what they had before.
struct Group {
    std::pmr::vector<std::string_view> kinds;
    bool those; // else all others
    std::optional<Interval> before;
};

// The kinds with a ttl of their own, and all others.
std::pmr::vector<Group> groups_of(const Given &given, std::string_view name_space,
                                  std::pmr::memory_resource *memory) {
    const retention::Rules &rules = retention::rules_of(name_space);
    std::pmr::vector<Group> groups(memory);
    if (!given.kind.empty()) {
        groups.push_back({{{given.kind}, memory}, true, rules.of_kind(given.kind).ttl});
        return groups;
    }
    Group others{std::pmr::vector<std::string_view>(memory), false, rules.of_kind("").ttl};
    for (const retention::KindRule &one : rules.kinds())
        others.kinds.push_back(pg::copied_text(one.kind));
    constexpr std::string_view with_default = "short_term";
    if (std::find(others.kinds.begin(), others.kinds.end(), with_default) == others.kinds.end()) {
        groups.push_back({{{with_default}, memory}, true, rules.of_kind(with_default).ttl});
        others.kinds.push_back(with_default);
    }
    groups.push_back(std::move(others));
    return groups;
}

bool same(const std::optional<Interval> &a, const std::optional<Interval> &b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->month == b->month && a->day == b->day && a->time == b->time));
}

void apply_to_episodes(const std::pmr::vector<Group> &groups, std::string_view name_space) {
    for (const Group &group : groups) {
        const std::optional<Interval> now =
            retention::rules_of(name_space)
                .of_kind(group.those ? group.kinds.front() : std::string_view())
                .ttl;
        if (!same(group.before, now))
            move_ends.run(SnapshotOf::now,
                          {name_space, group.kinds, group.those, group.before, now});
    }
}

} // namespace

MEMORY_CALL(memory_set_retention, "thing text, kind text, ttl interval, half_life interval,"
                                  " keep bigint") {
    const Given given = read_given(call);
    schema::require_all(schema::Need::to_write);
    const access::Connection writing(schema::Need::to_write, call, retention::room);
    access::check_may_write_shared("retention", "How long memories are kept is said");
    pg::ContextResource memory(CurrentMemoryContext);
    const std::string_view name_space = access::namespace_setting();
    const auto before = retention::rules_of(name_space).of(given.thing).ttl;
    const auto groups = groups_of(given, name_space, &memory);
    store.write(
        {name_space, given.word, given.kind, given.rule.ttl, given.rule.half_life, given.rule.keep},
        "retention");
    // Of all users, past row security.
    const pg::ActingAs owner(access::tables_owner(),
                             SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS);
    if (given.thing == Thing::episode)
        apply_to_episodes(groups, name_space);
    else if (given.thing == Thing::item && !same(before, given.rule.ttl))
        move_ends_of_items.run(SnapshotOf::now, {name_space, before, given.rule.ttl});
    return call.nothing();
}

} // namespace memory::lifecycle
