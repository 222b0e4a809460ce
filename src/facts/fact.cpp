// What makes an assertion acceptable.
#include "facts/fact.h"

#include "pg/error.h"
#include "pg/json.h"

extern "C" {
#include "catalog/pg_type.h"
#include "utils/array.h"
}

namespace memory::facts {

namespace {

bool less(const pg_uuid_t &a, const pg_uuid_t &b) { return std::memcmp(&a, &b, sizeof a) < 0; }
bool same(const pg_uuid_t &a, const pg_uuid_t &b) { return std::memcmp(&a, &b, sizeof a) == 0; }

constinit pg::Statement find_missing_source(
    "SELECT s FROM pg_catalog.unnest($3) s WHERE NOT EXISTS (SELECT FROM memory.episodes e"
    " WHERE e.namespace OPERATOR(pg_catalog.=) $1 AND e.user_id OPERATOR(pg_catalog.=) $2"
    " AND e.id OPERATOR(pg_catalog.=) s AND (e.expires_at IS NULL"
    "  OR e.expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp())) LIMIT 1");

void check_sources(const Fact &fact) {
    if (fact.sources.empty())
        return;
    const std::array parameters{fact.tenant.name_space_parameter(), fact.tenant.user_parameter(),
                                pg::Parameter::of(UUIDARRAYOID, uuid_array(fact.sources))};
    const pg::Rows missing = find_missing_source.run(parameters, pg::Access::write);
    if (missing.empty())
        return;
    const pg_uuid_t id = missing.get<pg::Uuid>(0, 0);
    throw pg::Error(ERRCODE_FOREIGN_KEY_VIOLATION, "sources: there is no episode %s",
                    pg::call([&id] {
                        return DatumGetCString(DirectFunctionCall1(uuid_out, UUIDPGetDatum(&id)));
                    }))
        .hint("Sources are ids of episodes of the same user.");
}

} // namespace

void check_span(Instant from, Instant until) {
    if (until <= from)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "valid_until must be after valid_from");
    // PostgreSQL's infinities are the algebra's.
    static_assert(DT_NOBEGIN == algebra::beginning && DT_NOEND == algebra::forever);
}

void check(const Fact &fact) {
    check_span(fact.from, fact.until.value_or(algebra::forever));
    if (!(fact.confidence >= 0 && fact.confidence <= 1))
        throw pg::Error(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE,
                        "confidence must be between 0 and 1, not %g",
                        static_cast<double>(fact.confidence));
    if (fact.metadata && !pg::json_root(*fact.metadata).is_object())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "metadata must be a JSON object");
    check_sources(fact);
}

Instant instant_or_now(std::optional<Datum> timestamp) {
    return timestamp ? DatumGetTimestampTz(*timestamp) : GetCurrentTransactionStartTimestamp();
}

std::optional<Instant> instant(std::optional<Datum> timestamp) {
    return timestamp ? std::optional<Instant>(DatumGetTimestampTz(*timestamp)) : std::nullopt;
}

std::span<const pg_uuid_t> uuids(const char *argument, Datum array) {
    struct Elements {
        pg_uuid_t *ids;
        std::size_t count;
        bool some_null;
    };
    const Elements all = pg::call([array] {
        ArrayType *whole = DatumGetArrayTypeP(array);
        Datum *values;
        bool *nulls;
        int count;
        deconstruct_array(whole, UUIDOID, UUID_LEN, false, TYPALIGN_CHAR, &values, &nulls, &count);
        const auto size = static_cast<std::size_t>(count);
        Elements found{static_cast<pg_uuid_t *>(palloc(size * sizeof(pg_uuid_t))), size, false};
        for (std::size_t i = 0; i < size; ++i) {
            found.some_null |= nulls[i];
            if (!nulls[i])
                found.ids[i] = *DatumGetUUIDP(values[i]);
        }
        return found;
    });
    if (all.some_null)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not contain null", argument);
    pg_uuid_t *end = all.ids + all.count;
    std::sort(all.ids, end, less);
    return {all.ids, std::unique(all.ids, end, same)};
}

Datum uuid_array(std::span<const pg_uuid_t> ids) {
    return pg::call([ids] {
        auto *values = static_cast<Datum *>(palloc(ids.size() * sizeof(Datum)));
        for (std::size_t i = 0; i < ids.size(); ++i)
            values[i] = UUIDPGetDatum(&ids[i]);
        return PointerGetDatum(construct_array(values, static_cast<int>(ids.size()), UUIDOID,
                                               UUID_LEN, false, TYPALIGN_CHAR));
    });
}

bool overrides(const Fact &fact) {
    if (!fact.metadata)
        return false;
    pg::JsonWalk walk(pg::json_root(*fact.metadata));
    while (const auto member = walk.next_member())
        if (member->key == "override")
            return member->value.is_true();
    return false;
}

} // namespace memory::facts
