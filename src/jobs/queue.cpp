// What INSERT, COPY and UPDATE queue: jobs of episodes, facts and items. By the rights of the owner
// of the tables: what a model is asked for must not depend on what the caller may write.
#include "access/owned_tables.h"
#include "jobs/job.h"
#include "jobs/settings.h"
#include "jobs/sql.h"
#include "jobs/summary_due.h"
#include "models/tasks.h"
#include "pg/handles.h"
#include "pg/statement.h"
#include "pg/trigger.h"

extern "C" {
#include "access/xact.h"
#include "commands/async.h"
}

namespace memory::jobs {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(drop_vector, R"(
    DELETE FROM memory.embeddings v WHERE {tenant:v} AND v.episode_id = $3 AND v.model = $4)"_sql);

MEMORY_STATEMENT(drop_item_vectors, R"(
    DELETE FROM memory.item_embeddings v WHERE {tenant:v} AND v.item = $3 AND v.model = $4)"_sql);

// Where what it says has no vector of the model. A version that says the same may have its job
// already; the one that comes later is void then.
MEMORY_STATEMENT(queue_fact, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target)
    SELECT $1, $2, 'embed', 'fact', $3
    WHERE NOT EXISTS (
        SELECT FROM memory.fact_embeddings v
        WHERE {tenant:v} AND v.subject_key = $4 AND v.predicate = $5 AND v.object_key = $6
            AND v.model = $7)
    ON CONFLICT (namespace, user_id, task, thing, target) DO NOTHING)"_sql);

// An episode waits for others; when it is the $4th, a profile is due. No row is shared by a user's
// writers, so that they do not wait for each other: two at once may leave it to the next one.
MEMORY_STATEMENT(queue_for_profile, R"(
    INSERT INTO memory.jobs (namespace, user_id, task, thing, target, due_at)
    SELECT $1, $2, 'profile', 'episode', $3, CASE WHEN (w.count + 1) >= $4 THEN now() ELSE 'infinity' END
    FROM (SELECT count(*) FROM (
        SELECT FROM memory.jobs j
        WHERE {tenant:j} AND j.task = 'profile' AND j.thing = 'episode' AND j.target <> $3
        LIMIT $4) n) w
    ON CONFLICT (namespace, user_id, task, thing, target) DO UPDATE
    SET due_at = excluded.due_at, {unclaimed})"_sql);

// The row of a trigger, and the role that its jobs are queued as.
class Written {
  public:
    Written(const pg::Arguments &arguments, const char *table, const char *id = "id")
        : row_(arguments, {table}),
          owner_(access::tables_owner(), SECURITY_LOCAL_USERID_CHANGE | SECURITY_NOFORCE_RLS),
          tenant_{row_.get<pg::Text>("namespace"), row_.get<pg::Text>("user_id")},
          id_(row_.get<pg::Uuid>(id)), arrival_(models::Arrival::of(row_)) {}

    const pg::TriggerRow &row() const noexcept { return row_; }
    const access::Tenant &tenant() const noexcept { return tenant_; }
    const pg_uuid_t &id() const noexcept { return id_; }

    void queue(Task task, std::string_view thing) const {
        if (row_.is_update())
            jobs::queue(tenant_, task, thing, id_, {GetCurrentTransactionStartTimestamp()});
        else
            queue_new(tenant_, task, thing, id_, arrival_ != nullptr && arrival_->has_made(id_));
    }

    // Its vectors by `model`, which has not seen it, unless they come with it. One that waits for
    // them does so in vain then.
    void queue_vectors(std::string_view model, std::string_view thing) const {
        if (arrival_ == nullptr || arrival_->vectors_by() != model)
            queue(Task::embed, thing);
        else if (row_.is_update())
            drop(tenant_, Task::embed, thing, id_);
    }

  private:
    pg::TriggerRow row_;
    pg::Spi spi_;
    pg::ActingAs owner_;
    access::Tenant tenant_;
    pg_uuid_t id_;
    const models::Arrival *arrival_;
};

void notify() {
    if (notifies())
        pg::call([] { Async_Notify("memory_jobs", ""); });
}

} // namespace

// Behind memory_internal.asks_models(). The vector of a text that is gone must not stay until there
// is one of the new text.
MEMORY_FUNCTION(memory_queue_episode) {
    const Written written(arguments, "episodes");
    const models::Asked asked = models::asked_for(written.tenant().name_space);
    if (!asked.embedder.empty()) {
        if (written.row().is_update())
            drop_vector.run(SnapshotOf::now, {written.tenant(), written.id(), asked.embedder});
        written.queue_vectors(asked.embedder, "episode");
    }
    if (asked.to_extract)
        written.queue(Task::extract, "episode");
    if (asked.episodes_a_profile > 0)
        queue_for_profile.run(SnapshotOf::now,
                              {written.tenant(), written.id(), asked.episodes_a_profile});
    notify();
    return Datum{0};
}

MEMORY_FUNCTION(memory_queue_item) {
    const Written written(arguments, "items");
    const models::Asked asked = models::asked_for(written.tenant().name_space);
    if (asked.embedder.empty())
        return Datum{0};
    if (written.row().is_update())
        drop_item_vectors.run(SnapshotOf::now, {written.tenant(), written.id(), asked.embedder});
    written.queue_vectors(asked.embedder, "item");
    notify();
    return Datum{0};
}

MEMORY_FUNCTION(memory_queue_fact) {
    const Written written(arguments, "facts");
    const models::Asked asked = models::asked_for(written.tenant().name_space);
    if (asked.embedder.empty())
        return Datum{0};
    const pg::TriggerRow &row = written.row();
    const pg::Rows queued = queue_fact.run(
        SnapshotOf::now,
        {written.tenant(), written.id(), row.get<pg::Text>("subject_key"),
         row.get<pg::Text>("predicate"), row.get<pg::Text>("object_key"), asked.embedder});
    if (!queued.empty())
        notify();
    return Datum{0};
}

// Behind memory_internal.asks_summaries(). The session is locked by its writer.
MEMORY_FUNCTION(memory_queue_summary) {
    const Written written(arguments, "sessions", "key");
    const models::Asked asked = models::asked_for(written.tenant().name_space);
    if (asked.messages_a_summary > 0 &&
        queue_summary(written.tenant(), written.id(), written.row().get<pg::Int8>("last_seq"),
                      asked.messages_a_summary))
        notify();
    return Datum{0};
}

} // namespace memory::jobs
