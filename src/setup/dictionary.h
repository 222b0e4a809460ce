// The language of what is remembered: the dictionary of the rooms' recall indexes, one for all.
#pragma once

#include "schema/table.h"

#include <optional>

namespace memory::setup {

// For init(): notes which recall indexes are there and with which dictionary, and gives that to
// those that are made while it lives. Needs the lock of schema::lock_tables().
class KeptDictionary {
  public:
    KeptDictionary();
    KeptDictionary(const KeptDictionary &) = delete;
    KeptDictionary &operator=(const KeptDictionary &) = delete;

    // They have been dropped, and are made again.
    void all_indexes_are_new() noexcept { count_ = 0; }
    void give_to_new_indexes() const;

  private:
    static constexpr std::size_t most = 16;

    std::optional<unsigned> dictionary_; // of those that are there; nothing when there is none
    std::array<const schema::Part *, most> there_{};
    std::size_t count_ = 0;
};

} // namespace memory::setup
