// A hash table of terms whose postings are appended in the order of the documents; sorted once, at
// the end.
#include "index/segment/inverter.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace memory::segment {

namespace {

constexpr std::size_t first_table = 256;

// For a pause.
constexpr std::size_t steps_to_add = 8;
constexpr std::size_t steps_to_compare = 4;

std::uint32_t hash_of(std::string_view term) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char byte : term)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
}

} // namespace

Inverter::Inverter(std::pmr::memory_resource *memory, text::Interruption &interruption)
    : bytes_(memory), terms_(memory), table_(first_table, memory), arrivals_(memory),
      order_(memory), postings_(memory), pause_(interruption) {}

void Inverter::add(std::uint32_t ordinal, std::string_view term, std::uint32_t count) {
    assert(arrivals_.empty() || arrivals_.back().posting.ordinal <= ordinal);
    pause_.step(steps_to_add);
    const std::uint32_t number = number_of(term);
    if (terms_[number].postings > 0 && terms_[number].last_ordinal == ordinal)
        throw codec::Corrupt("a document has a term twice");
    ++terms_[number].postings;
    terms_[number].last_ordinal = ordinal;
    arrivals_.push_back({number, {ordinal, count}});
}

std::uint32_t Inverter::number_of(std::string_view term) {
    if (terms_.size() * 2 >= table_.size())
        grow();
    const std::uint32_t hash = hash_of(term);
    const std::size_t mask = table_.size() - 1;
    std::size_t place = hash & mask;
    for (; table_[place] != 0; place = (place + 1) & mask) {
        const Term &known = terms_[table_[place] - 1];
        if (known.hash == hash && view(known) == term)
            return table_[place] - 1;
    }
    terms_.push_back({hash, static_cast<std::uint32_t>(term.size()), bytes_.size(), 0, 0, 0});
    bytes_ += term;
    table_[place] = static_cast<std::uint32_t>(terms_.size());
    return table_[place] - 1;
}

void Inverter::grow() {
    table_.assign(table_.size() * 2, 0);
    const std::size_t mask = table_.size() - 1;
    for (std::uint32_t number = 0; number < terms_.size(); ++number) {
        std::size_t place = terms_[number].hash & mask;
        while (table_[place] != 0)
            place = (place + 1) & mask;
        table_[place] = number + 1;
    }
}

std::size_t Inverter::bytes() const {
    return bytes_.capacity() + terms_.size() * (sizeof(Term) + sizeof(std::uint32_t)) +
           table_.size() * sizeof(std::uint32_t) + arrivals_.capacity() * sizeof(Arrival) +
           arrivals_.size() * sizeof(codec::Posting);
}

void Inverter::finish() {
    order_.resize(terms_.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::sort(order_.begin(), order_.end(), [this](std::uint32_t a, std::uint32_t b) {
        pause_.step(steps_to_compare);
        return view(terms_[a]) < view(terms_[b]);
    });
    std::size_t first = 0;
    for (Term &term : terms_) {
        term.first = first;
        first += term.postings;
        term.postings = 0; // counted up again, as the places are filled
    }
    postings_.resize(arrivals_.size());
    for (const Arrival &arrival : arrivals_) {
        Term &term = terms_[arrival.term];
        postings_[term.first + term.postings++] = arrival.posting;
    }
    rewind();
}

} // namespace memory::segment
