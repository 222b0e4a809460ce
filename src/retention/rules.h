// How long things live, and how fast they fade, in a namespace: what memory.set_retention() has
// said and the defaults (docs/lifecycle.md).
#pragma once

#include "pg/values.h"

#include <string_view>

namespace memory::retention {

enum class Thing { episode, session, checkpoint, run, item, block_version };

struct Rule {
    std::optional<Interval> ttl;
    std::optional<Interval> half_life;
    std::optional<std::int64_t> keep;
};

// A kind of episodes, and its rule; the empty one is for all others.
struct KindRule {
    std::string_view kind;
    Rule rule;
};

// Where nothing is said of this kind, and nothing of all kinds, it fades so fast where fading is
// asked for: in prompts, and in memory.strength().
inline constexpr KindRule usual_fading{"episodic",
                                       {std::nullopt, Interval{0, 30, 0}, std::nullopt}};

// A length as a number; 0 where there is none.
double microseconds(const std::optional<Interval> &length);

// The rules of a namespace, as a command sees them; valid until rules_of() is called again.
class Rules {
  public:
    // Of all of the thing but episodes.
    const Rule &of(Thing thing) const noexcept { return rules_[static_cast<std::size_t>(thing)]; }
    // Of episodes: what is said of the kind itself; else, one by one, of all kinds, and the
    // defaults.
    Rule of_kind(std::string_view kind) const;
    // With the usual one.
    std::optional<Interval> half_life_of(std::string_view kind) const;
    // Those that have rules of their own.
    std::span<const KindRule> kinds() const noexcept { return kinds_; }

  private:
    friend class Loading;

    std::array<Rule, 6> rules_{}; // of episodes the one for all kinds
    std::span<const KindRule> kinds_;
};

// Read past all rights: what lives must not depend on what the caller may read.
const Rules &rules_of(std::string_view name_space);

// A time so much before or after another; an error when that is no time.
TimestampTz before(TimestampTz time, const Interval &length);
TimestampTz after(TimestampTz time, const Interval &length);

// What was written last at this time or earlier has expired; nothing when the thing lives for ever.
std::optional<TimestampTz> expired_at(const Rule &rule);

} // namespace memory::retention
