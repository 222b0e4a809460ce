// Writes the addresses of a segment's parts, and finds them in the bytes that are read.
#include "index/segment/catalogue.h"

#include <algorithm>
#include <cassert>

namespace memory::segment {

namespace {

constexpr std::size_t address_bytes = 6;
constexpr std::size_t rows_part_bytes = address_bytes + sizeof(std::uint32_t);

void append_address(codec::ByteWriter &writer, Address address) {
    writer.fixed(address.block);
    writer.fixed(address.offset);
}

Address address_at(Bytes addresses, std::size_t at) {
    const std::uint8_t *from = addresses.data() + at;
    return {codec::load<std::uint32_t>(from),
            codec::load<std::uint16_t>(from + sizeof(std::uint32_t))};
}

} // namespace

void append_catalogue(ByteBuffer &buffer, const Contents &contents) {
    assert(contents.separators.size() + 1 == contents.dictionaries.size() ||
           contents.dictionaries.empty());
    codec::ByteWriter writer(buffer);
    writer.fixed(contents.documents);
    writer.fixed(contents.last_block);
    writer.fixed(static_cast<std::uint32_t>(contents.dictionaries.size()));
    for (const Address address : contents.lengths)
        append_address(writer, address);
    for (const RowsPart &part : contents.rows) {
        append_address(writer, part.address);
        writer.fixed(part.first_block);
    }
    for (const Address address : contents.dictionaries)
        append_address(writer, address);
    const std::pmr::vector<std::string_view> separators(
        contents.separators.begin(), contents.separators.end(), buffer.get_allocator());
    codec::append_separators(buffer, separators);
}

Catalogue::Catalogue(Bytes bytes) : Catalogue(codec::ByteReader(bytes)) {}

Catalogue::Catalogue(codec::ByteReader reader)
    : documents_(reader.fixed<std::uint32_t>()), last_block_(reader.fixed<std::uint32_t>()),
      dictionary_count_(reader.fixed<std::uint32_t>()),
      lengths_(reader.bytes(address_bytes * lengths_parts())),
      rows_(reader.bytes(rows_part_bytes * rows_parts())),
      dictionaries_(reader.bytes(address_bytes * std::size_t{dictionary_count_})),
      separators_(reader.rest()) {
    if (documents_ == 0 || documents_ > most_documents)
        throw codec::Corrupt("a segment of an impossible number of documents");
    if (separators_.size() + 1 != dictionary_count_ &&
        (separators_.size() != 0 || dictionary_count_ != 0))
        throw codec::Corrupt("a segment without separators between its dictionaries");
}

Address Catalogue::lengths(std::size_t part) const {
    return address_at(lengths_, address_bytes * part);
}

Address Catalogue::rows(std::size_t part) const {
    return address_at(rows_, rows_part_bytes * part);
}

std::uint32_t Catalogue::first_block(std::size_t part) const {
    return codec::load<std::uint32_t>(rows_.data() + rows_part_bytes * part + address_bytes);
}

std::uint32_t Catalogue::first_row_near(std::uint32_t block) const {
    std::size_t low = 0;
    std::size_t high = rows_parts();
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (last_block(middle) < block)
            low = middle + 1;
        else
            high = middle;
    }
    return std::min(static_cast<std::uint32_t>(low) * documents_per_rows, documents_);
}

Address Catalogue::dictionary(std::size_t part) const {
    return address_at(dictionaries_, address_bytes * part);
}

std::size_t Catalogue::dictionary_of(std::string_view term) const { return separators_.find(term); }

bool Catalogue::is_behind(std::size_t dictionary, std::string_view term) const {
    return dictionary < separators_.size() && separators_.separator(dictionary) <= term;
}

} // namespace memory::segment
