// Rows that are dead to all snapshots, found before VACUUM comes: when an UPDATE that has not
// changed the text or vector is about to make an index larger.
//
// What is found stays true for as long as VACUUM cannot take the records in question away: under
// the lock of their page, or of their tenant. After that their tids may be other rows'.
#pragma once

#include "index/document.h"
#include "index/payload.h"

namespace memory::index {

// Those of `tids`, which ascend, that are dead. Each page of the table is asked that the visibility
// map does not answer for; standbys are told before this returns. `block`: where the records are.
std::pmr::vector<codec::Tid> find_dead(Relation index, Relation heap, BlockNumber block,
                                       std::span<const codec::Tid> tids,
                                       std::pmr::memory_resource *memory);

// The records of one page or one tiny tenant, when there is no room for another.
class Suspects {
  public:
    explicit Suspects(std::pmr::memory_resource *memory) : all_(memory), dead_(memory) {}

    void add(const StoredRecord &record, std::size_t bytes);

    // Asks the table about those that share their fingerprint with another, so that they are likely
    // versions of one row. Returns how many bytes their dead take; 0 when none is likely.
    std::size_t ask(Relation index, Relation heap, BlockNumber block);
    // Afterwards: about the record that was added as number `place`.
    bool is_dead(std::size_t place) const;

  private:
    struct Suspect {
        codec::Tid tid;
        std::uint32_t fingerprint;
        std::size_t bytes;
    };

    std::pmr::vector<Suspect> all_;
    std::pmr::vector<codec::Tid> dead_;
};

} // namespace memory::index
