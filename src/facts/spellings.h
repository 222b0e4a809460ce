// How names are shown: as the user's facts have them already.
#pragma once

#include "facts/fact.h"
#include "pg/key_scan.h"
#include "schema/relations.h"

#include <unordered_map>

namespace memory::facts {

// Remembers what it has answered, so that the elements of a batch agree among themselves.
class Spellings {
  public:
    // Of what is committed by now. Needs a live Spi.
    explicit Spellings(std::pmr::memory_resource *memory);

    // Gives the subject and object of `fact` the spelling that was first.
    void settle(Fact &fact);

  private:
    enum class Role { subject, object };

    // Finds names by the indexes themselves: to start a statement takes longer than to look.
    class Scans {
      public:
        explicit Scans(const schema::Place &facts);

        const schema::Place &place() const noexcept { return heap_.place(); }

        // How facts spell the name of this key in this role; nothing when none has it.
        std::optional<std::string_view> find(const access::Tenant &tenant, std::string_view key,
                                             Role role);

      private:
        pg::HeldSnapshot snapshot_;
        schema::OpenTable heap_;
        schema::OpenIndex by_subject_;
        schema::OpenIndex by_object_;
        pg::Slot slot_;
    };

    void settle(const Fact &fact, Name &name, Role role);
    Scans *scans_of(const access::Tenant &tenant);
    std::optional<std::string_view> stored(const Fact &fact, std::string_view key, Role role);

    std::pmr::memory_resource *memory_;
    std::pmr::unordered_map<std::pmr::string, std::string_view> known_; // by tenant and key
    bool may_scan_;
    std::optional<Scans> scans_; // of the tenant asked about last, mostly the only one
};

} // namespace memory::facts
