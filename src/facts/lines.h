// Lines under their writers' locks: what is current on them, and what a call makes of it.
//
// A call names the lines that it will change (want), gets them all (lock), changes them in memory
// and writes once at the end (write).
//
// Transaction time grows strictly along a line: it is the clock's when the lock was got, or a
// microsecond after the last change of the line, whichever is later.
#pragma once

#include "facts/fact.h"

#include <map>
#include <unordered_map>

namespace memory::facts {

// One version of a fact while its line is being changed.
struct Version {
    pg_uuid_t id;
    Name subject;
    Name object;
    Span valid;
    Instant known_from;
    Instant known_until;
    double confidence;
    pg::Document metadata;
    std::span<const pg_uuid_t> sources;
    // Where its row is: the line's lock keeps it there. Invalid while there is none.
    ItemPointerData row;

    bool stored() const noexcept { return ItemPointerIsValid(&row); }
    bool current() const noexcept { return known_until == algebra::forever; }
};

// A subject and a predicate: one line, or one for each object where the predicate is many-valued.
struct Topic {
    access::Tenant tenant;
    std::string_view subject; // its key
    std::string_view predicate;

    friend bool operator<(const Topic &a, const Topic &b);
};

// As $1 to $4: {of_topic:t} (sql.h).
inline void bind(pg::Values &to, const Topic &topic) {
    to.add(topic.tenant);
    to.add(topic.subject);
    to.add(topic.predicate);
}

// The current versions of a line in the order of time, as the algebra sees them.
class Current {
  public:
    explicit Current(std::pmr::memory_resource *memory)
        : numbers_(memory), spans_(memory), places_(memory) {}

    std::span<const algebra::Held> all() const noexcept { return spans_; }
    // Where the one with this index is among the line's versions.
    std::size_t place(std::size_t index) const noexcept { return places_[index]; }
    // The index of the one at this place, which is valid from `from` on.
    std::size_t index_of(std::size_t place, Instant from) const;
    algebra::Object number(std::string_view object_key);

    void add(Span valid, algebra::Object object, std::size_t place);
    // Indexes in ascending order.
    void drop(std::span<const std::size_t> ended);
    void clear();

  private:
    // How many begin before `from`.
    std::size_t before(Instant from) const;

    std::pmr::unordered_map<std::string_view, algebra::Object> numbers_;
    std::pmr::vector<algebra::Held> spans_;
    std::pmr::vector<std::size_t> places_;
};

class Line {
  public:
    // `first_known` is the transaction time of its first change.
    Line(const Topic &topic, std::string_view slot, std::int64_t number, Instant first_known,
         std::pmr::memory_resource *memory)
        : topic_(topic), slot_(slot), number_(number), next_known_(first_known), memory_(memory),
          versions_(memory), current_(memory), rejected_(memory) {}

    const Topic &topic() const noexcept { return topic_; }
    // The object that this is the line of; empty where the predicate is one-valued.
    std::string_view slot() const noexcept { return slot_; }
    std::int64_t number() const noexcept { return number_; }

    // While the line is read, in the order of valid time.
    void add_current(const Version &version);
    void forget_versions();
    // Whether asserting `fact` ends before the last version read so far begins: what comes behind
    // does not matter then.
    bool is_enough_for(const Fact &fact) const;
    void add_rejected(std::string_view object_key) { rejected_.push_back(object_key); }
    bool is_rejected(std::string_view object_key) const;
    void forget_rejection(std::string_view object_key) { std::erase(rejected_, object_key); }

    // `fact` holds, from now on known; returns the id of the version that says so. Nothing changes
    // when one says so already.
    pg_uuid_t hold(const Fact &fact);
    // Nothing, or not this object, is valid in `span`; returns how many versions end.
    std::int64_t take_out(std::optional<std::string_view> object_key, Span span);
    // Puts `fact` in the place of this current version.
    pg_uuid_t replace(std::size_t index, const Fact &fact);

    // In the order in which they were read and made; some have ended.
    const std::pmr::vector<Version> &versions() const noexcept { return versions_; }

  private:
    pg_uuid_t hold(const Fact &fact, Instant known);
    void end(std::span<const std::size_t> held, Instant known);
    void apply(const algebra::Change &change, Instant known);

    Topic topic_;
    std::string_view slot_;
    std::int64_t number_;
    Instant next_known_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<Version> versions_;
    Current current_;
    std::pmr::vector<std::string_view> rejected_;
};

inline Topic topic_of(const Fact &fact) { return {fact.tenant, fact.subject.key, fact.predicate}; }

class Lines {
  public:
    explicit Lines(std::pmr::memory_resource *memory)
        : memory_(memory), wanted_(memory), lines_(memory) {}

    // `fact` is to be asserted. It must outlive lock().
    void want(const Fact &fact);
    // One more change is to be made to the line of `topic` and this object; it will need what is
    // current from `from` on.
    void want(const Topic &topic, std::string_view object_key, Instant from);
    // The same for all lines of `topic` that there are, or for those with this object.
    void want_existing(const Topic &topic, std::optional<std::string_view> object_key,
                       Instant from);
    // Locks and reads all that are wanted, in the order of their keys: as every call takes this
    // order, none waits for another that waits for it. Once; needs a live Spi.
    void lock();

    // The line of a wanted topic and object.
    Line &at(const Topic &topic, std::string_view object_key);
    std::pmr::vector<Line> &all() noexcept { return lines_; }
    // Writes what has been changed.
    void write() const;

  private:
    struct Wanted {
        explicit Wanted(std::pmr::memory_resource *memory) : line_of(memory) {}

        std::int64_t changes = 0;
        const Fact *only = nullptr; // the one change, when it is an assertion
        Instant from = algebra::forever;
        bool existing = false;
        std::optional<std::string_view> object;               // of the existing ones
        std::pmr::map<std::string_view, std::size_t> line_of; // by object
    };

    void lock(const Topic &topic, Wanted &wanted);
    Line &lock_one(const Topic &topic, std::string_view object, const Wanted &wanted);
    void lock_existing(const Topic &topic, const Wanted &wanted);

    std::pmr::memory_resource *memory_;
    std::pmr::map<Topic, Wanted> wanted_;
    std::pmr::vector<Line> lines_;
};

} // namespace memory::facts
