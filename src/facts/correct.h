// Versions that are replaced by others, and by what they are known.
#pragma once

#include "facts/lines.h"
#include "facts/spellings.h"

namespace memory::facts {

// What a call wants to be different in a version. What is not given stays as it is.
struct Correction {
    pg_uuid_t id;
    std::optional<Name> subject = std::nullopt;
    std::optional<std::string_view> predicate = std::nullopt;
    std::optional<Name> object = std::nullopt;
    std::optional<Instant> from = std::nullopt;
    std::optional<Instant> until = std::nullopt;

    Fact applied_to(Fact fact) const;
};

// One correction among the changes that a call makes to its lines.
class Correcting {
  public:
    // An error where there is no such version. Needs a live Spi.
    Correcting(const access::Tenant &tenant, const Correction &correction);

    // What the version will say.
    const Fact &corrected() const noexcept { return corrected_; }

    // Before the lines are locked.
    void want(Lines &lines) const;
    // After that: the id of the version that says so now.
    pg_uuid_t apply(Lines &lines, Spellings &spellings);

  private:
    Correction correction_;
    Fact stored_;
    Fact corrected_;
};

} // namespace memory::facts
