// memory.consolidate and memory.undo_consolidation: near-duplicates, and how they leave recall and
// come back (docs/lifecycle.md, "Consolidation").
//
// A merged episode stays where it is, with its text, vectors, use, revisions and messages. It
// expires before all time, which takes it out of every call and of the statistics of ranking, and a
// row in memory.merged_episodes says into which episode it was merged. Episodes that expire by
// themselves take no part.
#include "access/call.h"
#include "episodes/sql.h"
#include "episodes/tables.h"
#include "lifecycle/similar/clusters.h"
#include "lifecycle/similar/mix.h"
#include "pg/encoding.h"
#include "pg/function_call.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "pg/uuid.h"
#include "text/hash.h"
#include "text/interruption_sql.h"

namespace memory::lifecycle {

namespace {

using episodes::operator""_sql;
using pg::SnapshotOf;

// The first of those that are nearly the same is kept. $3 ids, or NULL for all.
MEMORY_STATEMENT(find_candidates, R"(
    SELECT e.id, e.kind, e.role, e.agent_id, memory_internal.episode_text(e.content, e.response)
    FROM memory.episodes e
    WHERE {tenant:e} AND e.expires_at IS NULL AND ($3::uuid[] IS NULL OR e.id = ANY ($3))
    ORDER BY e.importance DESC, e.occurred_at DESC, e.id DESC)"_sql,
                 pg::Statement::for_each_values);

// In an order that all calls share; what is merged elsewhere meanwhile is waited for.
MEMORY_STATEMENT(lock_episodes, R"(
    SELECT FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3)
    ORDER BY e.id FOR NO KEY UPDATE)"_sql,
                 pg::Statement::for_each_values);

// $3 merged episodes, $4 for each the one that is kept, $5 how similar they are. What is there is
// of an episode that was written again since.
MEMORY_STATEMENT(note_mergers, R"(
    INSERT INTO memory.merged_episodes AS m (namespace, user_id, episode_id, kept, similarity)
    SELECT $1, $2, n.episode_id, n.kept, n.similarity
    FROM ROWS FROM (unnest($3::uuid[]), unnest($4::uuid[]), unnest($5::float8[])) n
        (episode_id, kept, similarity)
    ON CONFLICT (namespace, user_id, episode_id) DO UPDATE
        SET kept = excluded.kept, similarity = excluded.similarity, merged_at = excluded.merged_at)"_sql,
                 pg::Statement::for_each_values);

MEMORY_STATEMENT(hide, R"(
    UPDATE memory.episodes e SET expires_at = '-infinity'
    WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::for_each_values);

// What is merged into $3, locked in the order in which it is locked to be merged.
MEMORY_STATEMENT(lock_merged, R"(
    SELECT e.id FROM memory.episodes e
    WHERE {tenant:e} AND e.id = ANY (ARRAY(SELECT m.episode_id FROM memory.merged_episodes m
                                           WHERE {tenant:m} AND m.kept = $3))
    ORDER BY e.id FOR NO KEY UPDATE)"_sql,
                 pg::Statement::for_each_values);

// Its trigger does the rest. $4 are those that are locked: what was merged since stays so.
MEMORY_STATEMENT(drop_mergers, R"(
    DELETE FROM memory.merged_episodes m
    WHERE {tenant:m} AND m.kept = $3 AND m.episode_id = ANY ($4))"_sql,
                 pg::Statement::for_each_values);

// Texts are compared within a kind, a role and an agent.
std::uint64_t group_of(std::string_view kind, const std::optional<std::string_view> &role,
                       const std::optional<std::string_view> &agent) {
    std::uint64_t group = text::quick_hash(kind);
    for (const auto &part : {role, agent})
        group = similar::mixed(group, part ? text::quick_hash(*part) + 1 : 0);
    return group;
}

// A user's episodes in the order in which they are kept, and what is nearly the same among them.
class Candidates {
  public:
    Candidates(const access::Tenant &tenant, std::optional<std::span<const pg_uuid_t>> ids,
               std::pmr::memory_resource *memory)
        : memory_(memory), ids_(memory), texts_(memory) {
        pg::TemporaryContext per_row("memory.consolidate");
        find_candidates.each(SnapshotOf::now, {tenant, ids}, [&](const pg::Row &row) {
            per_row.reset();
            const pg::SwitchedContext switched(per_row.get());
            const auto [id, kind, role, agent, text] =
                row.get<pg::Uuid, pg::Text, std::optional<pg::Text>, std::optional<pg::Text>,
                        pg::Text>();
            ids_.push_back(id);
            texts_.add(pg::to_utf8(text), group_of(kind, role, agent), text::server_interruption);
        });
    }

    const pg_uuid_t &id(similar::Number text) const { return ids_[text]; }
    std::pmr::vector<similar::Cluster> clusters(double threshold) const {
        return similar::clusters_of(texts_, threshold, memory_, text::server_interruption);
    }

  private:
    std::pmr::memory_resource *memory_;
    std::pmr::vector<pg_uuid_t> ids_;
    similar::Texts texts_;
};

// What is merged into what, in columns.
struct Mergers {
    explicit Mergers(std::pmr::memory_resource *memory)
        : merged(memory), kept(memory), similarities(memory) {}

    void add(const Candidates &candidates, const similar::Cluster &cluster) {
        for (const similar::Member &member : cluster.others) {
            merged.push_back(candidates.id(member.text));
            kept.push_back(candidates.id(cluster.first));
            similarities.push_back(member.similarity);
        }
    }

    std::pmr::vector<pg_uuid_t> merged;
    std::pmr::vector<pg_uuid_t> kept;
    std::pmr::vector<double> similarities;
};

double least_similarity(const similar::Cluster &cluster) {
    double least = 1;
    for (const similar::Member &member : cluster.others)
        least = std::min(least, member.similarity);
    return least;
}

void answer(pg::ResultSet &rows, const Candidates &candidates,
            std::span<const similar::Cluster> clusters, std::pmr::memory_resource *memory) {
    std::int64_t number = 0;
    for (const similar::Cluster &cluster : clusters) {
        Mergers mergers(memory);
        mergers.add(candidates, cluster);
        rows.add({++number, candidates.id(cluster.first), pg::unique_ids(mergers.merged),
                  least_similarity(cluster)});
    }
}

// Locks all near-duplicates that are there now, and returns them.
std::pmr::vector<pg_uuid_t> lock_candidates(const access::Tenant &tenant, double threshold,
                                            std::pmr::memory_resource *memory) {
    const Candidates seen(tenant, std::nullopt, memory);
    std::pmr::vector<pg_uuid_t> ids(memory);
    for (const similar::Cluster &cluster : seen.clusters(threshold)) {
        ids.push_back(seen.id(cluster.first));
        for (const similar::Member &member : cluster.others)
            ids.push_back(seen.id(member.text));
    }
    lock_episodes.run(SnapshotOf::now, {tenant, ids});
    return ids;
}

// What is locked is looked at again: it may have been changed, merged or deleted until then.
void merge(const access::Tenant &tenant, double threshold, pg::ResultSet &rows,
           std::pmr::memory_resource *memory) {
    const std::pmr::vector<pg_uuid_t> locked = lock_candidates(tenant, threshold, memory);
    const Candidates candidates(tenant, locked, memory);
    const std::pmr::vector<similar::Cluster> clusters = candidates.clusters(threshold);
    Mergers mergers(memory);
    for (const similar::Cluster &cluster : clusters)
        mergers.add(candidates, cluster);
    const std::size_t size = mergers.merged.size();
    note_mergers.write({tenant, mergers.merged, mergers.kept, mergers.similarities},
                       "merged_episodes", size);
    hide.write({tenant, mergers.merged}, "episodes", size);
    answer(rows, candidates, clusters, memory);
}

} // namespace

MEMORY_CALL(memory_consolidate, "threshold float8, dry_run boolean, user_id text") {
    const double threshold = call.real("threshold").between(0.5, 1).or_else(0.9);
    pg::ContextResource memory(CurrentMemoryContext);
    if (call.boolean("dry_run").or_else(true)) {
        access::Reading reading(call, episodes::room);
        const Candidates candidates(reading.tenant(), std::nullopt, &memory);
        answer(reading.rows(), candidates, candidates.clusters(threshold), &memory);
    } else {
        access::Writing writing(call, episodes::room);
        merge(writing.tenant(), threshold, writing.rows(), &memory);
    }
    return call.nothing();
}

MEMORY_CALL(memory_undo_consolidation, "kept uuid, user_id text") {
    const pg_uuid_t kept = call.uuid("kept").required();
    const access::Writing writing(call, episodes::room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<pg_uuid_t> ids(&memory);
    const pg::Rows locked = lock_merged.run(SnapshotOf::now, {writing.tenant(), kept});
    for (std::uint64_t row = 0; row < locked.size(); ++row)
        ids.push_back(locked.get<pg::Uuid>(row));
    if (drop_mergers.run(SnapshotOf::now, {writing.tenant(), kept, ids}).empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "no episode of this user is merged into kept")
            .hint("memory.merged_episodes says what is merged into what.");
    return call.nothing();
}

} // namespace memory::lifecycle
