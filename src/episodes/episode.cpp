// How an episode is written.
#include "episodes/episode.h"

#include "access/direct.h"
#include "episodes/sql.h"
#include "pg/attempt.h"
#include "pg/statement.h"
#include "retention/rules.h"

namespace memory::episodes {

namespace {

// When the episode expires. Counted from now, not from when it happened: what is remembered late
// still lives its time. What the namespace says of its kind is not about messages.
std::optional<pg::Instant> expiry(const Episode &episode) {
    const std::optional<Interval> of_kind =
        episode.ttl ? episode.ttl
                    : retention::rules_of(episode.tenant.name_space).of_kind(episode.kind).ttl;
    if (!of_kind)
        return std::nullopt;
    if (episode.of_message)
        return pg::Instant{DT_NOEND};
    return pg::naming("ttl", [&] {
        return std::optional(
            pg::Instant{retention::after(GetCurrentTransactionStartTimestamp(), *of_kind)});
    });
}

MEMORY_STATEMENT(insert_new, R"(
    INSERT INTO memory.episodes ({written})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, now()), $11, $12,
        coalesce($13, '{}'::jsonb), $14))"_sql);

MEMORY_STATEMENT(insert_or_replace, R"(
    INSERT INTO memory.episodes AS e ({written})
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, now()), $11, $12,
        coalesce($13, '{}'::jsonb), $14)
    ON CONFLICT (namespace, user_id, id) DO UPDATE
    SET session_id = excluded.session_id, agent_id = excluded.agent_id, kind = excluded.kind,
        role = excluded.role, content = excluded.content, response = excluded.response,
        occurred_at = excluded.occurred_at, recorded_at = excluded.recorded_at,
        expires_at = excluded.expires_at, importance = excluded.importance,
        metadata = excluded.metadata, transcript = excluded.transcript)"_sql);

// What belonged to an episode that is replaced whole, but for the vector by model $4, which the
// database has just made anew.
MEMORY_STATEMENT(drop_belongings, R"(
    WITH revisions AS (DELETE FROM memory.episode_revisions r WHERE {of_episode:r}),
        vectors AS (DELETE FROM memory.embeddings v WHERE {of_episode:v} AND v.model <> $4)
    DELETE FROM memory.usage u WHERE {of_episode:u})"_sql);

MEMORY_STATEMENT(delete_by_id, R"(
    DELETE FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3))"_sql);

MEMORY_STATEMENT(insert_embedding, R"(
    INSERT INTO memory.embeddings (namespace, user_id, episode_id, model, embedding)
    VALUES ($1, $2, $3, $4, $5))"_sql);

// Instead of the one that the database has made.
MEMORY_STATEMENT(replace_embedding, R"(
    UPDATE memory.embeddings v SET embedding = $5 WHERE {of_episode:v} AND v.model = $4)"_sql);

// Whose vector comes with it; empty: none does.
std::string_view model_of(const Episode &episode) {
    return episode.embedding == nullptr
               ? std::string_view()
               : models::in_use(episode.tenant.name_space, episode.model).name;
}

// As a trigger knows it.
struct Target {
    pg_uuid_t id;

    bool matches(const pg::TriggerRow &row) const {
        return pg::compare(row.get<pg::Uuid>("id"), id) == 0;
    }
};

void store_embedding(const Episode &episode, const pg_uuid_t &id, std::string_view model,
                     std::string_view made_here) {
    const pg::Values row{episode.tenant, id, model,
                         pg::as<pg::Vectors>(PointerGetDatum(episode.embedding))};
    if (model != made_here || replace_embedding.run(pg::SnapshotOf::now, row).empty())
        access::writing(insert_embedding, episode.tenant).write(row, "embeddings");
}

// The columns that are {written}.
pg::Values row_of(const Episode &episode, const pg_uuid_t &id) {
    return {episode.tenant,      id,
            episode.session_id,  episode.agent_id,
            episode.kind,        episode.role,
            episode.content,     episode.response,
            episode.occurred_at, expiry(episode),
            episode.importance,  episode.metadata,
            episode.transcript};
}

} // namespace

void check_texts(const pg::Given<std::string_view> &content,
                 const pg::Given<std::string_view> &response) {
    if (content.or_else("").empty() && response.or_else("").empty())
        throw content.place().error_of_whole(
            pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "content and response are both missing")
                .hint("An episode needs a content, a response, or both."));
    constexpr const char *hint = "Split it into several episodes, or raise memory.max_content.";
    content.at_most(max_content(), hint);
    response.at_most(max_content(), hint);
}

void store_new(const Episode &episode, const pg_uuid_t &id) {
    const std::string_view model = model_of(episode);
    const Target target{id};
    const models::Arrival arrival(target, model, &id);
    access::writing(insert_new, episode.tenant).write(row_of(episode, id), "episodes");
    if (!model.empty())
        store_embedding(episode, id, model, models::embedder_here(episode.tenant.name_space));
}

void store_or_replace(const Episode &episode) {
    const std::string_view model = model_of(episode);
    const Target target{*episode.id};
    const models::Arrival arrival(target, model, nullptr);
    insert_or_replace.write(row_of(episode, *episode.id), "episodes");
    const std::string_view made_here = models::embedder_here(episode.tenant.name_space);
    drop_belongings.run(pg::SnapshotOf::now, {episode.tenant, *episode.id, made_here});
    if (!model.empty())
        store_embedding(episode, *episode.id, model, made_here);
}

void erase(const access::Tenant &tenant, std::span<const pg_uuid_t> ids) {
    delete_by_id.run(pg::SnapshotOf::now, {tenant, ids});
}

} // namespace memory::episodes
