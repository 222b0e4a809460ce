// A hash table of the distinct terms of one text, sorted when they are asked for.
#include "text/terms.h"

#include <algorithm>

#include "text/hash.h"
#include "text/term.h"

namespace memory::text {

static_assert(max_stored_term_bytes == max_term_bytes + 1);

namespace {

constexpr std::size_t first_table_size = 256;
constexpr std::size_t steps_to_compare = 4; // for a Pause

// The first eight bytes, so that numbers are in the order of the bytes; zeros beyond the end.
std::uint64_t front(std::string_view term) {
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < std::min<std::size_t>(8, term.size()); ++i)
        bytes |= std::uint64_t{static_cast<unsigned char>(term[i])} << (56 - 8 * i);
    return bytes;
}

// The address of an object cannot be known from outside. With a fixed seed a text could be written
// whose words all collide in the table.
std::uint64_t seed_of(const void *object) {
    return quick_hash("terms", reinterpret_cast<std::uintptr_t>(object));
}

} // namespace

Terms::Terms(std::pmr::memory_resource *memory, Interruption &interruption)
    : bytes_(memory), entries_(memory), table_(first_table_size, 0, memory), order_(memory),
      sorted_(memory), pause_(interruption), seed_(seed_of(this)) {}

void Terms::clear() {
    bytes_.clear();
    for (const Entry &entry : entries_) // cheaper than the whole table after a long text
        for (std::size_t at = entry.hash & (table_.size() - 1); table_[at] != 0;
             at = (at + 1) & (table_.size() - 1))
            table_[at] = 0;
    entries_.clear();
    sorted_.clear();
    counted_ = weak_ = 0;
    has_word_ = false;
}

// Where the term's entry is in the table, or belongs.
std::size_t Terms::place(std::uint64_t hash, std::string_view term, bool weak) const {
    std::size_t at = hash & (table_.size() - 1);
    for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1)) {
        const Entry &entry = entries_[table_[at] - 1];
        const std::string_view stored = view(entry);
        if (entry.hash == hash && (stored.front() == weak_mark) == weak &&
            stored.substr(weak ? 1 : 0) == term)
            break;
    }
    return at;
}

void Terms::grow() {
    table_.assign(table_.size() * 2, 0);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
        std::size_t at = entries_[i].hash & (table_.size() - 1);
        while (table_[at] != 0)
            at = (at + 1) & (table_.size() - 1);
        table_[at] = i + 1;
    }
}

void Terms::take(const Token &token) {
    const bool weak = token.weight == Weight::weak;
    const std::uint64_t hash = quick_hash(token.term, seed_) + (weak ? 1 : 0);
    const std::size_t at = place(hash, token.term, weak);
    if (table_[at] != 0) {
        ++entries_[table_[at] - 1].count;
    } else {
        const std::size_t begin = bytes_.size();
        if (weak)
            bytes_.push_back(weak_mark);
        bytes_.append(token.term);
        entries_.push_back({hash, begin, static_cast<std::uint32_t>(bytes_.size() - begin), 1});
        table_[at] = static_cast<std::uint32_t>(entries_.size());
        if (entries_.size() * 2 > table_.size())
            grow();
    }
    (weak ? weak_ : counted_) += 1;
    has_word_ |= token.weight == Weight::word;
}

void Terms::sort() {
    order_.clear();
    for (std::uint32_t i = 0; i < entries_.size(); ++i)
        order_.push_back({front(view(entries_[i])), i});
    std::sort(order_.begin(), order_.end(), [this](const Place &a, const Place &b) {
        pause_.step(steps_to_compare);
        return a.front != b.front ? a.front < b.front
                                  : view(entries_[a.entry]) < view(entries_[b.entry]);
    });
    sorted_.clear();
    for (const Place &place : order_)
        sorted_.push_back({view(entries_[place.entry]), entries_[place.entry].count});
}

std::span<const TermCount> Terms::document() {
    sort();
    return sorted_;
}

std::span<const TermCount> Terms::query() {
    sort();
    const auto words =
        std::partition_point(sorted_.begin(), sorted_.end(),
                             [](const TermCount &term) { return term.term.front() == weak_mark; });
    const bool weak = !has_word_ && words != sorted_.begin();
    return weak ? std::span<const TermCount>(sorted_.begin(), words)
                : std::span<const TermCount>(words, sorted_.end());
}

} // namespace memory::text
