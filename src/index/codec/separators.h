// Which of several dictionaries, in ascending order, may hold a term. Format: docs/codecs.md.
//
// The terms of dictionary i are not below separator i and below separator i + 1.
#pragma once

#include "index/codec/bytes.h"

namespace memory::codec {

// The shortest string that is above `below` and not above `above`, a front of `above`.
// `below` < `above`.
std::string_view separator(std::string_view below, std::string_view above);

// Appends `separators`, which ascend.
void append_separators(ByteBuffer &buffer, std::span<const std::string_view> separators);

// Separators in bytes that must outlive it.
class Separators {
  public:
    explicit Separators(Bytes bytes);

    std::size_t size() const { return count_; }

    // How many separators are not above `term`: the number of the dictionary that may hold it.
    std::size_t find(std::string_view term) const;

    // `index` is below size().
    std::string_view separator(std::size_t index) const;

  private:
    std::size_t count_;
    Bytes ends_;
    Bytes text_;
};

} // namespace memory::codec
