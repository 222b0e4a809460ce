// Bytes that nothing needs any more, and the versions that were written against them.
//
// First all that changes is worked out, from rows as they are; then it is written. A chain is its
// base's chain and the base, before and after.
#include "checkpoints/payload.h"
#include "checkpoints/prune.h"
#include "checkpoints/sql.h"
#include "checkpoints/versions.h"
#include "pg/arrays.h"
#include "pg/memory.h"
#include "pg/statement.h"

#include <set>

namespace memory::checkpoints {

namespace {

using pg::SnapshotOf;

// $4 a number; in order.
MEMORY_STATEMENT(find_chains, R"(
    SELECT v.number, v.chain FROM memory.checkpoint_bytes v
    WHERE {of_store:v} AND v.number >= $4 ORDER BY v.number)"_sql);

// OFFSET 0 keeps the planner, which may have no statistics, from beginning with all rows of the
// user.
MEMORY_STATEMENT(find_needed, R"(
    SELECT n.number
    FROM {of_one_store} s
        CROSS JOIN LATERAL (
            SELECT c.state FROM memory.checkpoints c
            WHERE {tenant:c} AND c.session = s.key AND c.state >= $4
            UNION ALL
            SELECT p.number FROM memory.checkpoint_parts p
            WHERE {tenant:p} AND p.session = s.key AND p.number >= $4 AND p.has_data
            OFFSET 0) n (number))"_sql,
                 pg::Statement::once);

// A checkpoint that consists of version $4; asked for only when that is damaged.
MEMORY_STATEMENT(find_place, R"(
    SELECT s.session_id, c.path, c.id
    FROM {of_one_store} o JOIN memory.sessions s ON {tenant:s} AND s.key = o.key
        JOIN memory.checkpoints c ON {tenant:c} AND c.session = s.key
    WHERE c.state = $4 OR EXISTS (
        SELECT FROM memory.checkpoint_parts p
        WHERE {tenant:p} AND p.session = s.key AND p.number = $4 AND p.path = c.path
            AND c.refs ->> p.name = p.version)
    ORDER BY s.session_id, c.place LIMIT 1)"_sql);

MEMORY_STATEMENT(delete_versions, R"(
    DELETE FROM memory.checkpoint_bytes v WHERE {of_store:v} AND v.number = ANY ($4))"_sql);

MEMORY_STATEMENT(replace_chain, R"(
    UPDATE memory.checkpoint_bytes v SET chain = $5 WHERE {of_store:v} AND v.number = $4)"_sql);

MEMORY_STATEMENT(replace_data, R"(
    UPDATE memory.checkpoint_bytes v SET chain = $5, data = $6
    WHERE {of_store:v} AND v.number = $4)"_sql);

using Chain = std::pmr::vector<std::int64_t>;

// A version that stays, and has something in its chain that goes.
struct Survivor {
    std::optional<std::int64_t> base;      // of what it is written against from now on
    std::optional<codec::ByteBuffer> data; // where that is another than before
};

const char *place_in(const Store &store, std::int64_t number) {
    const pg::Rows rows = find_place.run(SnapshotOf::now, {store, number});
    if (rows.empty())
        return "a version that stays";
    const auto [session_id, path, id] = rows.get<pg::Text, pg::Text, pg::Text>(0);
    return place_of(session_id, path, id);
}

class Dropping {
  public:
    Dropping(const Store &store, std::int64_t from, std::pmr::memory_resource *memory)
        : store_(store), from_(from), memory_(memory), needed_(memory), chains_(memory),
          dead_(memory) {}

    void run();

  private:
    void find();
    bool stays(std::int64_t number) const { return number < from_ || needed_.contains(number); }
    Survivor freed(std::int64_t number, const Chain &chain) const;
    void relink(std::int64_t number, Chain &chain, const Survivor &survivor);

    const Store &store_;
    std::int64_t from_;
    std::pmr::memory_resource *memory_;
    std::pmr::set<std::int64_t> needed_;
    std::pmr::map<std::int64_t, Chain> chains_; // of those that stay
    std::pmr::vector<std::int64_t> dead_;
};

void Dropping::find() {
    const pg::Rows needed = find_needed.run(SnapshotOf::now, {store_, from_});
    for (std::uint64_t row = 0; row < needed.size(); ++row)
        needed_.insert(needed.get<pg::Int8>(row));
    const pg::Rows rows = find_chains.run(SnapshotOf::now, {store_, from_});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [number, chain] = rows.get<pg::Int8, pg::Int8s>(row);
        if (stays(number))
            chains_.emplace(number, Chain(chain.begin(), chain.end(), memory_));
        else
            dead_.push_back(number);
    }
}

// What is written instead, of a version whose chain has something that goes.
Survivor Dropping::freed(std::int64_t number, const Chain &chain) const {
    const auto base =
        std::find_if(chain.rbegin(), chain.rend(), [this](std::int64_t one) { return stays(one); });
    Survivor survivor;
    if (base != chain.rend())
        survivor.base = *base;
    if (base == chain.rbegin())
        return survivor;
    pg::TemporaryContext scratch("memory: a version written anew");
    const pg::SwitchedContext switched(scratch.get());
    Versions versions(store_, scratch.resource());
    survivor.data.emplace(memory_);
    if (!versions.rewrite(number, survivor.base, *survivor.data, place_in))
        survivor.base.reset();
    return survivor;
}

void Dropping::relink(std::int64_t number, Chain &chain, const Survivor &survivor) {
    if (!survivor.base) {
        chain.clear();
    } else if (const auto known = chains_.find(*survivor.base); known != chains_.end()) {
        chain = known->second;
        chain.push_back(*survivor.base);
    } else { // below all that goes: nothing changes up to there
        chain.erase(std::find(chain.begin(), chain.end(), *survivor.base) + 1, chain.end());
    }
    pg::Values row{store_, number, chain};
    if (!survivor.data) {
        replace_chain.write(row, "checkpoint_bytes");
        return;
    }
    row.add(pg::Bytes(*survivor.data));
    replace_data.write(row, "checkpoint_bytes");
}

void Dropping::run() {
    find();
    if (dead_.empty())
        return;
    std::pmr::map<std::int64_t, Survivor> survivors(memory_);
    for (const auto &[number, chain] : chains_)
        if (!std::ranges::all_of(chain, [this](std::int64_t one) { return stays(one); }))
            survivors.emplace(number, freed(number, chain));
    for (const auto &[number, survivor] : survivors) // the lowest first
        relink(number, chains_.at(number), survivor);
    delete_versions.write({store_, dead_}, "checkpoint_bytes", dead_.size());
}

} // namespace

void drop_unneeded(const Store &store, std::int64_t from, std::pmr::memory_resource *memory) {
    Dropping(store, from, memory).run();
}

} // namespace memory::checkpoints
