// Rows of memory.checkpoint_bytes, and what they make.
#include "checkpoints/versions.h"

#include "checkpoints/delta/checksum.h"
#include "checkpoints/kept.h"
#include "checkpoints/sql.h"
#include "pg/arrays.h"
#include "pg/statement.h"
#include "text/interruption_sql.h"

namespace memory::checkpoints {

namespace {

// Each by the primary key: LIMIT keeps the planner, which may have no statistics of this store,
// from reading all of it instead.
MEMORY_STATEMENT(find_versions, R"(
    SELECT v.number, v.chain, v.size, v.checksum, v.data
    FROM unnest($4::bigint[]) w (number)
        CROSS JOIN LATERAL (SELECT v.number, v.chain, v.size, v.checksum, v.data
                            FROM memory.checkpoint_bytes v
                            WHERE {of_store:v} AND v.number = w.number LIMIT 1) v)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(insert_version, R"(
    INSERT INTO memory.checkpoint_bytes
        (namespace, user_id, store, number, chain, size, checksum, data)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8))"_sql);

// Bytes in the current memory context. (A vector would set each of them first.)
std::span<std::uint8_t> new_bytes(std::size_t size) {
    auto *bytes = static_cast<std::uint8_t *>(
        pg::call([size] { return palloc_extended(size + 1, MCXT_ALLOC_HUGE); }));
    return {bytes, size};
}

constexpr char missing[] = "a row of memory.checkpoint_bytes is missing";

[[noreturn]] void throw_fault(const char *place, const char *fault) {
    if (fault == missing)
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "%s is not whole: %s", place,
                        fault)
            .hint("It was deleted by hand, or row security hides it.");
    throw pg::Error(ERRCODE_DATA_CORRUPTED, "%s is damaged: %s", place, fault)
        .hint("Take memory.checkpoint_bytes from a backup, or prune what needs the row.");
}

} // namespace

void Versions::add(const pg::Rows &rows) {
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [number, chain, size, checksum, data] =
            rows.get<pg::Int8, pg::Int8s, pg::Int8, pg::Int8, pg::LazyBytea>(row);
        rows_[number] = {
            chain, {static_cast<std::size_t>(size), static_cast<std::uint64_t>(checksum)}, data};
    }
}

void Versions::fetch(std::span<const std::int64_t> numbers, pg::SnapshotOf snapshot) {
    std::pmr::vector<std::int64_t> wanted(memory_);
    for (const std::int64_t number : numbers)
        if (find(number) == nullptr)
            wanted.push_back(number);
    if (wanted.empty())
        return;
    add(find_versions.run(snapshot, {store_, std::span<const std::int64_t>(wanted)}));
    std::pmr::vector<std::int64_t> below(memory_);
    for (const std::int64_t number : wanted)
        if (const Stored *version = find(number))
            for (const std::int64_t member : version->chain)
                if (find(member) == nullptr)
                    below.push_back(member);
    if (below.empty())
        return;
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    add(find_versions.run(snapshot, {store_, std::span<const std::int64_t>(below)}));
}

const Versions::Stored *Versions::find(std::int64_t number) const {
    const auto found = rows_.find(number);
    return found == rows_.end() ? nullptr : &found->second;
}

std::pmr::vector<const pg::LazyBytea *> Versions::stored_chain(std::int64_t number) const {
    std::pmr::vector<const pg::LazyBytea *> chain(memory_);
    const Stored *version = find(number);
    if (version == nullptr)
        return chain;
    for (const std::int64_t member : version->chain) {
        const Stored *stored = find(member);
        if (stored == nullptr) {
            chain.clear();
            return chain;
        }
        chain.push_back(&stored->data);
    }
    chain.push_back(&version->data);
    return chain;
}

const char *Versions::fault_in(std::int64_t number) const {
    const Stored *version = find(number);
    if (version == nullptr)
        return missing;
    return version->check.size > delta::max_size ? "its size is not possible" : nullptr;
}

const char *Versions::rebuild(std::int64_t number, std::span<std::uint8_t> to) const {
    std::pmr::vector<pg::Bytes> chain(memory_);
    for (const pg::LazyBytea *member : stored_chain(number))
        chain.push_back(member->bytes());
    return chain.empty()
               ? missing
               : delta::rebuild(chain, find(number)->check, to, memory_, text::server_interruption);
}

Versions::Rebuilt Versions::rebuilt(std::int64_t number) const {
    if (const char *fault = fault_in(number))
        return {{}, fault};
    const std::span<std::uint8_t> to = new_bytes(find(number)->check.size);
    return {to, rebuild(number, to)};
}

std::size_t Versions::size(std::int64_t number, const char *place) const {
    if (const char *fault = fault_in(number))
        throw_fault(place, fault);
    return find(number)->check.size;
}

void Versions::bring(std::int64_t number, std::span<std::uint8_t> to, const char *place) const {
    if (const char *fault = rebuild(number, to))
        throw_fault(place, fault);
}

pg::Bytes Versions::bytes(std::int64_t number, const char *place) const {
    const Rebuilt version = rebuilt(number);
    if (version.fault != nullptr)
        throw_fault(place, version.fault);
    return version.bytes;
}

// What makes `bytes` out of the version `base`; nothing where a keyframe is due.
bool Versions::against(std::int64_t base, pg::Bytes bytes, codec::ByteBuffer &delta) const {
    std::pmr::vector<std::size_t> sizes(memory_);
    for (const pg::LazyBytea *member : stored_chain(base))
        sizes.push_back(member->size());
    if (sizes.empty() || sizes.size() >= delta::longest_chain)
        return false;
    const std::optional<pg::Bytes> kept = kept_version(store_, base, find(base)->check);
    delta::write(kept ? *kept : this->bytes(base, base_), bytes, delta, text::server_interruption);
    return !delta::is_keyframe_due(sizes, delta.size(), bytes.size());
}

bool Versions::rewrite(std::int64_t number, std::optional<std::int64_t> base,
                       codec::ByteBuffer &data, PlaceOf place_of) {
    fetch(std::span(&number, 1), pg::SnapshotOf::now);
    const Rebuilt whole = rebuilt(number);
    if (whole.fault != nullptr)
        throw_fault(place_of(store_, number), whole.fault);
    if (base) {
        fetch(std::span(&*base, 1), pg::SnapshotOf::now);
        if (const Rebuilt below = rebuilt(*base); below.fault == nullptr) {
            delta::write(below.bytes, whole.bytes, data, text::server_interruption);
            if (data.size() <= whole.bytes.size() / 2)
                return true;
        }
    }
    data.assign(whole.bytes.begin(), whole.bytes.end());
    return false;
}

void Versions::write(std::int64_t number, pg::Bytes bytes, std::optional<std::int64_t> base) {
    codec::ByteBuffer delta(memory_);
    std::pmr::vector<std::int64_t> chain(memory_);
    if (base) {
        fetch(std::span(&*base, 1), pg::SnapshotOf::now);
        if (against(*base, bytes, delta)) {
            const std::span<const std::int64_t> below = find(*base)->chain;
            chain.assign(below.begin(), below.end());
            chain.push_back(*base);
        }
    }
    const delta::Check check{bytes.size(), delta::checksum(bytes, text::server_interruption)};
    insert_version.write({store_, number, chain, static_cast<std::int64_t>(check.size),
                          static_cast<std::int64_t>(check.checksum),
                          chain.empty() ? bytes : pg::Bytes(delta)},
                         "checkpoint_bytes");
    keep_version(store_, number, check, bytes, base);
}

} // namespace memory::checkpoints
