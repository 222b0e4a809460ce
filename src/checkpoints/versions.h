// Versions of states and parts in a store: written against an earlier one, read through their
// chains.
#pragma once

#include "checkpoints/delta/chain.h"
#include "checkpoints/store.h"
#include "pg/spi.h"

#include <map>

namespace memory::checkpoints {

// Versions that have been fetched, each with its chain. What they hold is in the memory context
// that was current when they were fetched.
class Versions {
  public:
    // The store must outlive it.
    Versions(const Store &store, std::pmr::memory_resource *memory)
        : store_(store), memory_(memory), rows_(memory) {}

    // Makes these known, as far as they are there. Needs a live Spi.
    void fetch(std::span<const std::int64_t> numbers, pg::SnapshotOf snapshot);

    // The bytes of a version; an error that begins with `place` when it is not there, or damaged.
    pg::Bytes bytes(std::int64_t number, const char *place) const;

    // Writes a version under a new number, against `base` if there is one: a delta, or a keyframe
    // where one is due. Needs a live Spi and the store's lock.
    void write(std::int64_t number, pg::Bytes bytes, std::optional<std::int64_t> base);

    // What the version `number` is written as from now on: into `data` a delta against `base`, or
    // its own bytes; false in that case.
    bool rewrite(std::int64_t number, std::optional<std::int64_t> base, codec::ByteBuffer &data);

  private:
    struct Stored {
        std::span<const std::int64_t> chain;
        delta::Check check;
        pg::Bytes data;
    };
    using StoredRows = std::pmr::map<std::int64_t, Stored>;

    void add(const pg::Rows &rows);
    const Stored *find(std::int64_t number) const;
    // What is stored of the version's chain, keyframe first and the version last; empty when
    // something of it is not there.
    std::pmr::vector<pg::Bytes> stored_chain(std::int64_t number) const;
    bool against(std::int64_t base, pg::Bytes bytes, codec::ByteBuffer &delta) const;

    const Store &store_;
    std::pmr::memory_resource *memory_;
    StoredRows rows_;
};

} // namespace memory::checkpoints
