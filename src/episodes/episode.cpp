// What makes an episode acceptable, and how it is written.
#include "episodes/episode.h"

#include "episodes/settings.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/uuid7.h"
#include "pg/vector.h"

#include <cmath>

namespace memory::episodes {

namespace {

void check_length(const char *argument, std::optional<std::string_view> text) {
    if (text && text->size() > max_content())
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                        "%s has %zu bytes, more than memory.max_content allows (%zu)", argument,
                        text->size(), max_content())
            .hint("Split it into several episodes, or raise memory.max_content.");
}

bool is_json_object(Datum jsonb) {
    return pg::call([jsonb] { return JB_ROOT_IS_OBJECT(DatumGetJsonbP(jsonb)); });
}

// When the episode expires. Counted from now, not from when it happened: what is remembered late
// still lives its time.
std::optional<Datum> expiry(const Episode &episode) {
    if (!episode.ttl)
        return std::nullopt;
    return pg::naming("ttl", [&] {
        return pg::call([&] {
            return DirectFunctionCall2(timestamptz_pl_interval,
                                       TimestampTzGetDatum(GetCurrentTransactionStartTimestamp()),
                                       *episode.ttl);
        });
    });
}

void check_ttl(Datum ttl) {
    const auto *interval = DatumGetIntervalP(ttl);
    const double days = interval->month * 30.0 + interval->day;
    if (days * static_cast<double>(USECS_PER_DAY) + static_cast<double>(interval->time) <= 0)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "ttl must be longer than nothing");
}

constinit pg::Statement insert_new(
    "INSERT INTO memory.episodes (namespace, user_id, id, session_id, agent_id, kind, role,"
    " content, response, occurred_at, expires_at, importance, metadata, transcript) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, pg_catalog.now()), $11, $12,"
    " coalesce($13, '{}'), $14)");

constinit pg::Statement insert_or_replace(
    "INSERT INTO memory.episodes AS e (namespace, user_id, id, session_id, agent_id, kind, role,"
    " content, response, occurred_at, expires_at, importance, metadata, transcript) "
    "VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, coalesce($10, pg_catalog.now()), $11, $12,"
    " coalesce($13, '{}'), $14) "
    "ON CONFLICT (namespace, user_id, id) DO UPDATE SET session_id = excluded.session_id,"
    " agent_id = excluded.agent_id, kind = excluded.kind, role = excluded.role,"
    " content = excluded.content, response = excluded.response,"
    " occurred_at = excluded.occurred_at, recorded_at = excluded.recorded_at,"
    " expires_at = excluded.expires_at, importance = excluded.importance,"
    " metadata = excluded.metadata, transcript = excluded.transcript");

// What belonged to an episode that is replaced whole.
constinit pg::Statement drop_belongings(
    "WITH revisions AS (DELETE FROM memory.episode_revisions"
    "  WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    "  AND episode_id OPERATOR(pg_catalog.=) $3), "
    "vectors AS (DELETE FROM memory.embeddings"
    "  WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    "  AND episode_id OPERATOR(pg_catalog.=) $3) "
    "DELETE FROM memory.usage"
    "  WHERE namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"
    "  AND episode_id OPERATOR(pg_catalog.=) $3");

constinit pg::Statement insert_embedding(
    "INSERT INTO memory.embeddings (namespace, user_id, episode_id, model, embedding) "
    "VALUES ($1, $2, $3, $4, $5)");

} // namespace

void check_texts(std::optional<std::string_view> content,
                 std::optional<std::string_view> response) {
    if (content.value_or("").empty() && response.value_or("").empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "content and response are both missing")
            .hint("An episode needs a content, a response, or both.");
    check_length("content", content);
    check_length("response", response);
}

void check(const Episode &episode) {
    check_texts(episode.content, episode.response);
    access::check_id_length("session_id", episode.session_id);
    access::check_id_length("agent_id", episode.agent_id);
    if (episode.kind.empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "kind must not be empty");
    if (!(episode.importance >= 0 && episode.importance <= 1))
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
                        "importance must be between 0 and 1, not %g",
                        static_cast<double>(episode.importance));
    if (episode.occurred_at && TIMESTAMP_NOT_FINITE(DatumGetTimestampTz(*episode.occurred_at)))
        throw pg::Error(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE, "occurred_at must be finite");
    if (episode.metadata && !is_json_object(*episode.metadata))
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "metadata must be a JSON object");
    if (episode.ttl)
        check_ttl(*episode.ttl);
}

pg_uuid_t store(const Episode &episode) {
    using pg::Parameter;
    const pg_uuid_t id = episode.id ? *episode.id : pg::new_id();
    const std::array key{episode.tenant.name_space_parameter(), episode.tenant.user_parameter(),
                         Parameter::uuid(id)};
    const std::array row{key[0],
                         key[1],
                         key[2],
                         Parameter::text(episode.session_id),
                         Parameter::text(episode.agent_id),
                         Parameter::text(episode.kind),
                         Parameter::text(episode.role),
                         Parameter::text(episode.content.value_or("")),
                         Parameter::text(episode.response),
                         Parameter::of(TIMESTAMPTZOID, episode.occurred_at),
                         Parameter::of(TIMESTAMPTZOID, expiry(episode)),
                         Parameter::of(FLOAT4OID, Float4GetDatum(episode.importance)),
                         Parameter::of(JSONBOID, episode.metadata),
                         Parameter::of(JSONBOID, episode.transcript)};
    if (episode.id) {
        insert_or_replace.write(row, "episodes");
        drop_belongings.run(key, pg::Access::write);
    } else {
        insert_new.write(row, "episodes");
    }
    if (episode.embedding) {
        const std::array vector{key[0], key[1], key[2], Parameter::text(embedding_model()),
                                Parameter::of(pg::vector_type(), episode.embedding)};
        insert_embedding.write(vector, "embeddings");
    }
    return id;
}

} // namespace memory::episodes
