// memory.forget(): what meets all conditions that are given.
//
// First the sessions are locked that are meant, as every writer of a session does; then what goes
// is looked for with a snapshot of its own. Without a session or a time it is looked for before
// that, too, which says which sessions to lock: what comes in between stays.
#include "facts/forget.h"
#include "access/call.h"
#include "access/queue.h"
#include "checkpoints/prune.h"
#include "filter/filter.h"
#include "items/erase.h"
#include "lifecycle/erase.h"
#include "lifecycle/everything.h"
#include "lifecycle/locked_sessions.h"
#include "lifecycle/sql.h"
#include "lifecycle/tables.h"
#include "pg/statement.h"
#include "pg/uuid.h"

namespace memory::lifecycle {

namespace {

using pg::SnapshotOf;
using sessions::Names;

// $3 the session's name, $4 a time, $5 an id, $6 to $8 a filter.
MEMORY_STATEMENT(find_episodes, R"(
    SELECT e.id FROM memory.episodes e
    WHERE {tenant:e} AND ($3::text IS NULL OR e.session_id = $3)
        AND ($4::timestamptz IS NULL OR e.occurred_at < $4)
        AND ($5::uuid IS NULL OR e.id = $5) AND {filtered:e.metadata,$6,$7,$8})"_sql,
                 pg::Statement::for_each_values);

// The same of messages.
MEMORY_STATEMENT(find_messages, R"(
    SELECT DISTINCT m.id FROM memory.messages m
    WHERE {tenant:m} AND ($3::text IS NULL OR m.session = (
            SELECT s.key FROM memory.sessions s WHERE {tenant:s} AND s.session_id = $3))
        AND ($4::timestamptz IS NULL OR m.occurred_at < $4)
        AND ($5::uuid IS NULL OR m.id = $5))"_sql,
                 pg::Statement::for_each_values);

// $3 keys of sessions, here and below; $4 a time.
MEMORY_STATEMENT(delete_runs, R"(
    DELETE FROM memory.runs r
    WHERE {tenant:r} AND r.session = ANY ($3) AND r.created_at < $4)"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(delete_sessions, R"(
    DELETE FROM memory.sessions s WHERE {tenant:s} AND s.key = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

// Those of which nothing has stayed. (Writes that wait for their checkpoint have no time of their
// own: they are as old as the last write into their session, or older.)
MEMORY_STATEMENT(delete_emptied_sessions, R"(
    DELETE FROM memory.sessions s
    WHERE {tenant:s} AND s.key = ANY ($3) AND s.updated_at < $4
        AND NOT EXISTS (SELECT FROM memory.messages m WHERE {tenant:m} AND m.session = s.key)
        AND NOT EXISTS (SELECT FROM memory.runs r WHERE {tenant:r} AND r.session = s.key)
        AND NOT EXISTS (SELECT FROM memory.checkpoints c
                        WHERE {tenant:c} AND c.session = s.key)
        AND NOT EXISTS (SELECT FROM memory.episodes e
                        WHERE {tenant:e} AND e.session_id = s.session_id))"_sql,
                 pg::Statement::for_each_values);

struct Conditions {
    std::optional<std::string_view> session;
    std::optional<pg::Instant> before;
    std::optional<pg_uuid_t> id;
    std::optional<pg::Document> filter;
    filter::Conditions metadata;
    std::optional<items::Path> item_path;

    bool any() const { return session || before || id || filter || item_path; }
    // Rows with neither id nor metadata can meet them: runs, checkpoints, sessions themselves.
    bool by_session_or_time() const { return !id && !filter && !item_path; }
    bool by_time_alone() const { return by_session_or_time() && !session; }
};

template <class Call>
Conditions read_conditions(const Call &call) {
    Conditions what;
    what.session = sessions::name_if_given(call.text("session_id"));
    what.before = call.instant("before");
    what.id = call.uuid("id");
    what.filter = call.json("filter");
    what.metadata = filter::conditions_of(call.json("filter"));
    what.item_path = items::checked_path(call.list("item_path"));
    if (!what.any())
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED,
                        "one of session_id, before, id, filter and item_path must not be null")
            .hint("memory.forget_user forgets everything of a user.");
    return what;
}

class Forgetting {
  public:
    Forgetting(const access::Tenant &tenant, const Conditions &what, Receipt &receipt,
               std::pmr::memory_resource *memory)
        : tenant_(tenant), what_(what), receipt_(receipt), memory_(memory) {}

    void run();

  private:
    Ids meant_now() const;
    void forget_meant(std::span<const pg_uuid_t> ids, std::span<const sessions::Locked> locked);
    void forget_facts();
    void forget_items();
    void forget_of_sessions(const LockedSessions &sessions,
                            std::span<const sessions::Locked> locked);

    access::Tenant tenant_;
    const Conditions &what_;
    Receipt &receipt_;
    std::pmr::memory_resource *memory_;
};

// Ids of episodes and messages that meet the conditions, each once and in order.
Ids Forgetting::meant_now() const {
    Ids ids(memory_);
    const auto add = [&](const pg::Rows &rows) {
        for (std::uint64_t row = 0; row < rows.size(); ++row)
            ids.push_back(rows.get<pg::Uuid>(row));
    };
    add(find_episodes.run(SnapshotOf::now,
                          {tenant_, what_.session, what_.before, what_.id, what_.metadata}));
    if (!what_.filter)
        add(find_messages.run(SnapshotOf::now, {tenant_, what_.session, what_.before, what_.id}));
    const std::span<const pg_uuid_t> once = pg::unique_ids(ids);
    return {once.begin(), once.end(), memory_};
}

void Forgetting::run() {
    access::queue(tenant_, "retention");
    if (what_.item_path) {
        forget_items();
        return;
    }
    if (what_.session || what_.by_time_alone()) {
        const Names names = what_.session ? Names(std::span(&*what_.session, 1)) : std::nullopt;
        const auto locked = sessions::lock_to_delete(tenant_, names, memory_);
        forget_items();
        if (what_.by_time_alone())
            facts::lock_all_lines(tenant_);
        forget_meant(meant_now(), locked);
        return;
    }
    const Ids seen = meant_now();
    const auto locked = sessions::lock_sessions_of(tenant_, seen, memory_);
    forget_items();
    const Ids now = meant_now();
    Ids both(memory_);
    std::set_intersection(seen.begin(), seen.end(), now.begin(), now.end(),
                          std::back_inserter(both), pg::ById{});
    forget_meant(both, locked);
}

void Forgetting::forget_meant(std::span<const pg_uuid_t> ids,
                              std::span<const sessions::Locked> locked) {
    const LockedSessions sessions(tenant_, locked, memory_);
    erase_episodes(tenant_, ids, sessions.keys(), receipt_, memory_);
    if (!what_.session && !what_.filter)
        forget_facts();
    if (what_.by_session_or_time())
        forget_of_sessions(sessions, locked);
    sessions.count_lost(receipt_);
}

void Forgetting::forget_facts() {
    if (!what_.id) {
        const auto [rejections, lines] = facts::erase_rejections(tenant_, *what_.before);
        receipt_.add("rejections", rejections);
        receipt_.add("timelines", lines);
        erase_facts(tenant_, facts::known_before(tenant_, *what_.before, memory_), receipt_);
        return;
    }
    const auto same = [this] {
        return facts::saying_the_same(tenant_, *what_.id, what_.before, memory_);
    };
    facts::lock_lines_of(tenant_, same());
    erase_facts(tenant_, same(), receipt_);
}

// They have neither id nor session.
void Forgetting::forget_items() {
    if (what_.id || what_.session)
        return;
    items::Choice choice;
    choice.prefix = what_.item_path.value_or(items::Path{});
    choice.filter = what_.metadata;
    choice.before = what_.before;
    const auto [items, vectors] = items::erase(tenant_, choice);
    receipt_.add("items", items);
    receipt_.add("item_embeddings", vectors);
}

void Forgetting::forget_of_sessions(const LockedSessions &sessions,
                                    std::span<const sessions::Locked> locked) {
    if (locked.empty())
        return;
    if (!what_.before) {
        const pg::Rows gone = delete_sessions.run(SnapshotOf::now, {tenant_, sessions.keys()});
        receipt_.add("sessions", static_cast<std::int64_t>(gone.size()));
        return;
    }
    delete_runs.run(SnapshotOf::now, {tenant_, sessions.keys(), *what_.before});
    checkpoints::prune_before(tenant_, locked, *what_.before, memory_);
    const pg::Rows gone =
        delete_emptied_sessions.run(SnapshotOf::now, {tenant_, sessions.keys(), *what_.before});
    receipt_.add("sessions", static_cast<std::int64_t>(gone.size()));
}

// The anonymous bucket has no name that memory.forget_user could be given.
bool means_everything(const access::Tenant &tenant, const Conditions &what) {
    return tenant.user.empty() && what.by_time_alone() && TIMESTAMP_IS_NOEND(what.before->time);
}

} // namespace

MEMORY_CALL(memory_forget, "user_id text, session_id text, before timestamptz, id uuid,"
                           " filter jsonb, item_path text[]") {
    const Conditions what = read_conditions(call);
    schema::require_all(schema::Need::to_write);
    const access::Writing writing(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    Receipt receipt(&memory);
    if (means_everything(writing.tenant(), what))
        forget_everything(writing.tenant(), receipt, &memory);
    else
        Forgetting(writing.tenant(), what, receipt, &memory).run();
    return call.result(pg::Document{receipt.as_json()});
}

} // namespace memory::lifecycle
