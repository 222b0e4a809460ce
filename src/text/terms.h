// A text's distinct terms with their counts: what an index stores of a document and searches for a
// query.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/interruption.h"
#include "text/token.h"

namespace memory::text {

// The byte before every weak term among the others. No other term begins with it.
inline constexpr char weak_mark = '\x01';
// All other terms are from here on.
inline constexpr std::string_view above_weak = "\x02";
inline constexpr std::size_t max_stored_term_bytes = 128;

struct TermCount {
    std::string_view term; // a weak one begins with weak_mark
    std::uint32_t count;   // at least 1
};

// Gathers the tokens of one text. Call order: clear(), analyze into it, then ask. What it hands
// out is valid until clear(), or until another token is taken. Storage is kept from text to text.
class Terms : public TokenSink {
  public:
    explicit Terms(std::pmr::memory_resource *memory,
                   Interruption &interruption = Interruption::none());

    void clear();
    void take(const Token &token) override;

    // What a document of this text is found by: every distinct term, in ascending byte order.
    std::span<const TermCount> document();

    // What a query of this text searches: its words, or if it has none its weak terms. In
    // ascending byte order.
    std::span<const TermCount> query();

    // The document's length for BM25: how many tokens it has, the weak ones aside; of a text that
    // has no others, how many weak ones.
    std::uint64_t length() const { return counted_ > 0 ? counted_ : weak_; }

  private:
    struct Entry {
        std::uint64_t hash;
        std::size_t begin; // in bytes_
        std::uint32_t size;
        std::uint32_t count;
    };

    struct Place {
        std::uint64_t front; // of the term: most comparisons need no more
        std::uint32_t entry;
    };

    std::size_t place(std::uint64_t hash, std::string_view term, bool weak) const;
    void grow();
    void sort();
    std::string_view view(const Entry &entry) const {
        return std::string_view(bytes_).substr(entry.begin, entry.size);
    }

    std::pmr::string bytes_;
    std::pmr::vector<Entry> entries_;
    std::pmr::vector<std::uint32_t> table_; // entry + 1, or 0; open addressing, a power of two
    std::pmr::vector<Place> order_;
    std::pmr::vector<TermCount> sorted_;
    Pause pause_;
    std::uint64_t seed_; // of the table's hashes
    std::uint64_t counted_ = 0;
    std::uint64_t weak_ = 0;
    bool has_word_ = false; // a token that is neither weak nor single
};

} // namespace memory::text
