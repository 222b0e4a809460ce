// The table of contents of a segment: where its tables and dictionaries are.
// Format: docs/codecs.md.
#pragma once

#include "index/codec/separators.h"
#include "index/segment/parts.h"

#include <string>

namespace memory::segment {

// Documents in a table of lengths, and rows in a table of rows; the last ones may have fewer.
inline constexpr std::uint32_t documents_per_lengths = 1024;
inline constexpr std::uint32_t documents_per_rows = 512;

// A segment holds at most this many documents.
inline constexpr std::uint32_t most_documents = 1U << 22;

struct RowsPart {
    Address address;
    std::uint32_t first_block; // of the table, that its first row is on
};

// What a segment's writer gathers. The separators are one fewer than the dictionaries, or none.
struct Contents {
    explicit Contents(std::pmr::memory_resource *memory)
        : lengths(memory), rows(memory), dictionaries(memory), separators(memory) {}

    std::uint32_t documents = 0;
    std::uint32_t last_block = 0; // of the table, that the last row is on
    std::pmr::vector<Address> lengths;
    std::pmr::vector<RowsPart> rows;
    std::pmr::vector<Address> dictionaries;
    std::pmr::vector<std::pmr::string> separators;
};

void append_catalogue(ByteBuffer &buffer, const Contents &contents);

// A catalogue in bytes that must outlive it.
class Catalogue {
  public:
    explicit Catalogue(Bytes bytes);

    std::uint32_t documents() const { return documents_; }
    std::size_t lengths_parts() const { return parts(documents_per_lengths); }
    std::size_t rows_parts() const { return parts(documents_per_rows); }
    std::size_t dictionaries() const { return dictionary_count_; }

    // `part` is below the number of such parts.
    Address lengths(std::size_t part) const;
    Address rows(std::size_t part) const;
    Address dictionary(std::size_t part) const;

    // The pages of the table that a part's rows are on lie from first_block() to last_block().
    std::uint32_t first_block(std::size_t part) const;
    std::uint32_t last_block(std::size_t part) const {
        return part + 1 < rows_parts() ? first_block(part + 1) : last_block_;
    }

    // An ordinal before which all rows are on pages of the table before `block`.
    std::uint32_t first_row_near(std::uint32_t block) const;

    // The only dictionary that may hold a term; there is at least one.
    std::size_t dictionary_of(std::string_view term) const;
    // Whether that of a term comes behind this one.
    bool is_behind(std::size_t dictionary, std::string_view term) const;

  private:
    Catalogue(codec::ByteReader reader);

    std::size_t parts(std::uint32_t of) const { return (documents_ + of - 1) / of; }

    std::uint32_t documents_;
    std::uint32_t last_block_;
    std::uint32_t dictionary_count_;
    Bytes lengths_;
    Bytes rows_;
    Bytes dictionaries_;
    codec::Separators separators_;
};

} // namespace memory::segment
