// How names are shown: as the user's facts have them already.
#pragma once

#include "facts/fact.h"

#include <unordered_map>

namespace memory::facts {

// Remembers what it has answered, so that the elements of a batch agree among themselves.
class Spellings {
  public:
    explicit Spellings(std::pmr::memory_resource *memory) : memory_(memory), known_(memory) {}

    // Gives the subject and object of `fact` the spelling that was first. Needs a live Spi.
    void settle(Fact &fact);

  private:
    std::string_view *known(const Fact &fact, const Name &name);

    std::pmr::memory_resource *memory_;
    std::pmr::unordered_map<std::pmr::string, std::string_view> known_; // by user and key
};

} // namespace memory::facts
