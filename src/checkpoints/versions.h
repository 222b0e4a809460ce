// Versions of states and parts in a store: written against an earlier one, read through their
// chains.
#pragma once

#include "checkpoints/delta/chain.h"
#include "checkpoints/store.h"
#include "pg/lazy_bytea.h"
#include "pg/spi.h"

#include <map>

namespace memory::checkpoints {

// Versions that have been fetched, each with its chain. What they hold is in the memory context
// that was current when they were fetched.
class Versions {
  public:
    // The store must outlive it. `base` names, in errors, what new versions are written against.
    Versions(const Store &store, std::pmr::memory_resource *memory, const char *base = "")
        : store_(store), memory_(memory), base_(base), rows_(memory) {}

    // Makes these known, as far as they are there. Needs a live Spi.
    void fetch(std::span<const std::int64_t> numbers, pg::SnapshotOf snapshot);

    // The bytes of a version, in the current memory context; an error that begins with `place` when
    // it is not there, or damaged.
    pg::Bytes bytes(std::int64_t number, const char *place) const;
    // The same into `to`, which has size() bytes.
    std::size_t size(std::int64_t number, const char *place) const;
    void bring(std::int64_t number, std::span<std::uint8_t> to, const char *place) const;

    // Writes a version under a new number, against `base` if there is one: a delta, or a keyframe
    // where one is due. Needs a live Spi and the store's lock.
    void write(std::int64_t number, pg::Bytes bytes, std::optional<std::int64_t> base);

    // What the version `number` is written as from now on: into `data` a delta against `base`, or
    // its own bytes; false in that case. `place_of` names a version that cannot be read.
    using PlaceOf = const char *(*)(const Store &store, std::int64_t number);
    bool rewrite(std::int64_t number, std::optional<std::int64_t> base, codec::ByteBuffer &data,
                 PlaceOf place_of);

  private:
    struct Stored {
        std::span<const std::int64_t> chain;
        delta::Check check;
        pg::LazyBytea data;
    };
    // The bytes of a version, or what is wrong with it.
    struct Rebuilt {
        pg::Bytes bytes;
        const char *fault = nullptr;
    };
    using StoredRows = std::pmr::map<std::int64_t, Stored>;

    void add(const pg::Rows &rows);
    const Stored *find(std::int64_t number) const;
    // What is stored of the version's chain, keyframe first and the version last; empty when
    // something of it is not there.
    std::pmr::vector<const pg::LazyBytea *> stored_chain(std::int64_t number) const;
    // What is wrong with a version before its bytes are read; null: nothing.
    const char *fault_in(std::int64_t number) const;
    // Its bytes into `to`; null, or what is wrong with it.
    const char *rebuild(std::int64_t number, std::span<std::uint8_t> to) const;
    Rebuilt rebuilt(std::int64_t number) const;
    bool against(std::int64_t base, pg::Bytes bytes, codec::ByteBuffer &delta) const;

    const Store &store_;
    std::pmr::memory_resource *memory_;
    const char *base_;
    StoredRows rows_;
};

} // namespace memory::checkpoints
