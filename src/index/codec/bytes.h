// Reading and writing bytes: fixed integers and varints. Formats: docs/codecs.md.
//
// A varint has seven bits a byte, low ones first; the top bit says that more follow. More than 32
// bits are corrupt.
#pragma once

#include "index/codec/corrupt.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace memory::codec {

using Bytes = std::span<const std::uint8_t>;
using ByteBuffer = std::pmr::vector<std::uint8_t>;

inline constexpr std::size_t max_varint_bytes = 5;

// Little-endian on every machine. `from` has sizeof(Integer) bytes.
template <class Integer>
Integer load(const std::uint8_t *from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    if constexpr (std::endian::native == std::endian::big && sizeof value > 1) {
        Integer swapped = 0;
        for (std::size_t i = 0; i < sizeof value; ++i)
            swapped = static_cast<Integer>((swapped << 8) | ((value >> (8 * i)) & 0xFF));
        return swapped;
    }
    return value;
}

template <class Integer>
void store(std::uint8_t *to, Integer value) {
    for (std::size_t i = 0; i < sizeof value; ++i)
        to[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

// Reads forwards through a span that must outlive it. What would reach past the end throws.
class ByteReader {
  public:
    explicit ByteReader(Bytes bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

    std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
    Bytes rest() const { return {at_, remaining()}; }

    template <class Integer>
    Integer fixed() {
        return load<Integer>(take(sizeof(Integer)));
    }

    std::uint32_t varint() {
        if (at_ < end_ && *at_ < 0x80)
            return *at_++;
        return long_varint();
    }

    Bytes bytes(std::size_t count) { return {take(count), count}; }
    void skip(std::size_t count) { take(count); }

  private:
    const std::uint8_t *take(std::size_t count) {
        if (count > remaining())
            throw Corrupt("the data end inside a field");
        const std::uint8_t *taken = at_;
        at_ += count;
        return taken;
    }

    std::uint32_t long_varint();

    const std::uint8_t *at_;
    const std::uint8_t *end_;
};

// A copy of bytes that came from elsewhere. Keeps its memory for the next one. (A vector of a
// memory_resource copies byte by byte, which takes longer than reading them.)
class ByteCopy {
  public:
    explicit ByteCopy(std::pmr::memory_resource *memory) : memory_(memory) {}
    ByteCopy(ByteCopy &&other) noexcept
        : memory_(other.memory_), data_(std::exchange(other.data_, nullptr)),
          capacity_(std::exchange(other.capacity_, 0)), size_(std::exchange(other.size_, 0)) {}
    ByteCopy &operator=(ByteCopy &&) = delete;
    ~ByteCopy() { give_back(); }

    Bytes bytes() const { return {data_, size_}; }
    bool empty() const { return size_ == 0; }
    void clear() { size_ = 0; }

    void reserve(std::size_t size) {
        if (size > capacity_)
            grow(size);
    }
    void assign(Bytes bytes) {
        clear();
        append(bytes);
    }
    void append(Bytes bytes) {
        if (size_ + bytes.size() > capacity_)
            grow(std::max(size_ + bytes.size(), 2 * capacity_));
        if (!bytes.empty())
            std::memcpy(data_ + size_, bytes.data(), bytes.size());
        size_ += bytes.size();
    }

  private:
    void grow(std::size_t capacity) {
        auto *data = static_cast<std::uint8_t *>(memory_->allocate(capacity, 1));
        if (size_ > 0)
            std::memcpy(data, data_, size_);
        give_back();
        data_ = data;
        capacity_ = capacity;
    }
    void give_back() {
        if (data_ != nullptr)
            memory_->deallocate(data_, capacity_, 1);
    }

    std::pmr::memory_resource *memory_;
    std::uint8_t *data_ = nullptr;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
};

// Appends to a buffer of the caller's.
class ByteWriter {
  public:
    explicit ByteWriter(ByteBuffer &buffer) : buffer_(buffer) {}

    std::size_t size() const { return buffer_.size(); }

    template <class Integer>
    void fixed(Integer value) {
        const std::size_t at = buffer_.size();
        buffer_.resize(at + sizeof value);
        store(buffer_.data() + at, value);
    }

    void varint(std::uint32_t value) {
        for (; value >= 0x80; value >>= 7)
            buffer_.push_back(static_cast<std::uint8_t>(value | 0x80));
        buffer_.push_back(static_cast<std::uint8_t>(value));
    }

    void bytes(Bytes bytes) { buffer_.insert(buffer_.end(), bytes.begin(), bytes.end()); }

  private:
    ByteBuffer &buffer_;
};

constexpr std::size_t varint_size(std::uint32_t value) {
    return (static_cast<std::size_t>(std::bit_width(value | 1)) + 6) / 7;
}

inline Bytes as_bytes(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t *>(text.data()), text.size()};
}

inline std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char *>(bytes.data()), bytes.size()};
}

// How many bytes two strings share at their fronts.
inline std::size_t common_prefix(std::string_view a, std::string_view b) {
    const std::size_t shorter = a.size() < b.size() ? a.size() : b.size();
    std::size_t common = 0;
    while (common < shorter && a[common] == b[common])
        ++common;
    return common;
}

} // namespace memory::codec
