// How an item is written: one statement, and others where it has vectors.
//
// The statement locks the row that is there, and sees what its last writer has committed; so
// writers of one item queue on its row, or on the entry of it in the index where it is new.
#include "items/item.h"

#include "access/direct.h"
#include "items/sql.h"
#include "items/text.h"
#include "models/tasks.h"
#include "pg/attempt.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid.h"
#include "pg/uuid7.h"
#include "retention/rules.h"

extern "C" {
#include "access/xact.h"
#include "utils/fmgrprotos.h"
}

namespace memory::items {

namespace {

using pg::SnapshotOf;

// $3 id, $4 path, $5 key, $6 value, $7 texts, $8 ttl, $9 expires_at. Of one that has expired
// nothing stays but its id.
constexpr pg::sql::Fragment puts[]{
    {"put", "INSERT INTO memory.items AS i"
            " (namespace, user_id, id, path, key, value, texts, ttl, expires_at)"
            " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
            " ON CONFLICT (namespace, user_id, (memory_internal.place_key(path, key)))"
            " WHERE key > '' DO UPDATE"
            " SET value = excluded.value, texts = excluded.texts, ttl = excluded.ttl,"
            " expires_at = excluded.expires_at,"
            " version = CASE WHEN {expired:i} THEN 1 ELSE (i.version + 1) END,"
            " created_at = CASE WHEN {expired:i} THEN now() ELSE i.created_at END,"
            " updated_at = greatest(i.updated_at, now()) {0}"
            " RETURNING i.version, i.id"}};

MEMORY_STATEMENT(put_always, pg::compose<"{put: }", access::fragments, fragments, puts>());
MEMORY_STATEMENT(put_new,
                 pg::compose<"{put:WHERE {expired:i}}", access::fragments, fragments, puts>());

// $3 place, $4 the version that is expected, $5 value, $6 texts, $7 ttl, $8 expires_at.
MEMORY_STATEMENT(put_expected, R"(
    UPDATE memory.items i
    SET value = $5, texts = $6, ttl = $7, expires_at = $8, version = (i.version + 1),
        updated_at = greatest(i.updated_at, now())
    WHERE {placed:i,$3} AND {not_expired:i} AND i.version = $4
    RETURNING i.version, i.id)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(find_version, R"(
    SELECT i.version FROM memory.items i WHERE {placed:i,$3} AND {not_expired:i})"_sql,
                 pg::Statement::once);

// What described the value before; but for the vectors by model $4, which the database has just
// made anew.
MEMORY_STATEMENT(drop_vectors, R"(
    DELETE FROM memory.item_embeddings v WHERE {tenant:v} AND v.item = $3 AND v.model <> $4)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(insert_vector, R"(
    INSERT INTO memory.item_embeddings (namespace, user_id, item, model, n, embedding)
    VALUES ($1, $2, $3, $4, $5, $6))"_sql);

std::optional<Interval> length_of_life(const Item &item) {
    return item.ttl ? item.ttl
                    : retention::rules_of(item.tenant.name_space).of(retention::Thing::item).ttl;
}

// Counted from now, not from what it was.
std::optional<pg::Instant> expiry(const std::optional<Interval> &ttl) {
    if (!ttl)
        return std::nullopt;
    return pg::naming("ttl", [&] {
        return std::optional(
            pg::Instant{retention::after(GetCurrentTransactionStartTimestamp(), *ttl)});
    });
}

struct Written {
    std::int64_t version;
    pg_uuid_t id;
    bool is_new; // nothing was there of it
};

Written written_in(const pg::Rows &rows, const pg_uuid_t &made) {
    const auto [version, id] = rows.get<pg::Int8, pg::Uuid>(0);
    return {version, id, pg::compare(id, made) == 0};
}

// As a trigger knows it: under the id that was made for it, or the one that it has.
struct Target {
    const Item &item;

    bool matches(const pg::TriggerRow &row) const {
        const auto path = row.find<Texts>("path");
        return row.find<pg::Text>("namespace") == item.tenant.name_space &&
               row.find<pg::Text>("user_id") == item.tenant.user &&
               row.find<pg::Text>("key") == item.key && path &&
               std::ranges::equal(*path, item.path);
    }
};

std::optional<std::int64_t> version_of(const Item &item) {
    const pg::Rows rows = access::reading(find_version, item.tenant)
                              .run(SnapshotOf::now, {item.tenant, place_of(item.path, item.key)});
    return rows.empty() ? std::nullopt : std::optional(rows.get<pg::Int8>(0));
}

// The error where an item is there that must be new, or has not the version that it must have.
void check_expected(const Item &item) {
    const std::int64_t found = version_of(item).value_or(0);
    const std::int64_t expected = *item.expected_version;
    if (found == expected)
        return;
    const pg::Quoted key(item.key);
    if (expected == 0)
        throw pg::Error(ERRCODE_UNIQUE_VIOLATION, "item \"%.*s\" is there already", key.length,
                        key.text)
            .hint("expected_version => 0 puts an item that is not there.");
    if (found == 0)
        throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE, "there is no item \"%.*s\"", key.length,
                        key.text)
            .hint("It was deleted, has expired, or was never put; expected_version => 0 puts it.");
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "item \"%.*s\" has version %lld, not expected_version %lld", key.length,
                    key.text, static_cast<long long>(found), static_cast<long long>(expected))
        .hint("Read it again, and put what is to be.");
}

pg::Rows put_over(const Item &item) {
    const std::optional<Interval> ttl = length_of_life(item);
    return access::writing(put_expected, item.tenant)
        .run(SnapshotOf::now, {item.tenant, place_of(item.path, item.key), *item.expected_version,
                               item.value, item.texts, ttl, expiry(ttl)});
}

// `model` is that of the vectors that it brings; empty: none.
Written put_row(const Item &item, std::string_view model) {
    const pg_uuid_t id = pg::new_id();
    const Target target{item};
    const models::Arrival arrival(target, model, &id);
    const std::optional<Interval> ttl = length_of_life(item);
    const pg::Values row{item.tenant, id,         item.path, item.key,
                         item.value,  item.texts, ttl,       expiry(ttl)};
    if (!item.expected_version)
        return written_in(access::writing(put_always, item.tenant).write(row, "items"), id);
    // Between a statement that has found another version and the one that looks which, the item may
    // have become as it must be.
    constexpr int most_tries = 10;
    for (int tries = 0; tries < most_tries; ++tries) {
        const pg::Rows rows = *item.expected_version == 0
                                  ? access::writing(put_new, item.tenant).run(SnapshotOf::now, row)
                                  : put_over(item);
        if (!rows.empty())
            return written_in(rows, id);
        check_expected(item);
    }
    pg::throw_kept_out("items", 0, 1);
}

void put_vectors(const Item &item, std::string_view model, const Written &written) {
    if (written.is_new && !item.embeddings)
        return;
    const std::string_view made_here = models::embedder_here(item.tenant.name_space);
    const bool brings_them = item.embeddings && model == made_here;
    access::erasing(drop_vectors, item.tenant)
        .run(SnapshotOf::now,
             {item.tenant, written.id, brings_them ? std::string_view() : made_here});
    if (!item.embeddings)
        return;
    pg::Statement &insert = access::writing(insert_vector, item.tenant);
    std::int32_t n = 0;
    for (const pg::Vector *embedding : *item.embeddings)
        insert.write(
            {item.tenant, written.id, model, ++n, pg::as<pg::Vectors>(PointerGetDatum(embedding))},
            "item_embeddings");
}

} // namespace

std::optional<Embeddings> checked_embeddings(const pg::Given<Embeddings> &given) {
    if (!given)
        return std::nullopt;
    const Embeddings embeddings = given.required();
    for (std::size_t n = 0; n < embeddings.size(); ++n)
        if (!models::has_direction(*embeddings[n]))
            throw models::no_direction(
                pg::call([&] { return psprintf("%s[%zu]", given.place().text().data(), n); }));
    return given;
}

std::int64_t put(const Item &item) {
    const std::string_view model = item.embeddings
                                       ? models::in_use(item.tenant.name_space, std::nullopt).name
                                       : std::string_view();
    const Written written = put_row(item, model);
    put_vectors(item, model, written);
    return written.version;
}

} // namespace memory::items
