// What the tests of the codecs share: random terms and documents, and damage done to bytes.
#pragma once

#include "index/codec/bytes.h"

#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace codec_test {

using memory::codec::ByteBuffer;
using memory::codec::Bytes;
using memory::codec::Corrupt;

using Random = std::mt19937_64;

// A seed to print with SCOPED_TRACE, another in every run.
inline std::uint64_t new_seed() { return std::random_device{}(); }

inline std::size_t below(Random &random, std::size_t bound) { return random() % bound; }

inline bool one_in(Random &random, std::size_t n) { return random() % n == 0; }

inline ByteBuffer new_buffer() { return ByteBuffer(std::pmr::get_default_resource()); }

// A number below 2^width whose own width is anything up to that.
inline std::uint32_t any_number(Random &random, unsigned width = 32) {
    const std::uint64_t number = random() & ((std::uint64_t{1} << width) - 1);
    return static_cast<std::uint32_t>(number >> below(random, width));
}

// Words, words that begin with others, long ones, and terms of any bytes.
inline std::string random_term(Random &random) {
    const std::size_t kind = below(random, 20);
    const std::size_t length = kind == 0   ? 1 + below(random, 255)
                               : kind < 10 ? 1 + below(random, 3)
                                           : 1 + below(random, 9);
    std::string term;
    while (term.size() < length) {
        term += kind == 1   ? static_cast<char>(random())
                : kind == 2 ? 'a'
                            : static_cast<char>('a' + below(random, 6));
    }
    return term;
}

inline std::set<std::string> random_terms(Random &random, std::size_t count) {
    std::set<std::string> terms;
    while (terms.size() < count) {
        terms.insert(random_term(random));
        if (one_in(random, 4)) { // a neighbour: one byte more, or another last byte
            std::string near = *terms.rbegin();
            if (near.size() < 255)
                terms.insert(near + static_cast<char>(random()));
            near.back() = static_cast<char>(random());
            terms.insert(near);
        }
    }
    while (terms.size() > count) {
        terms.erase(
            std::next(terms.begin(), static_cast<std::ptrdiff_t>(below(random, terms.size()))));
    }
    return terms;
}

// Calls `read` with every front of `bytes` and with `rounds` damaged copies, each in memory of its
// own exact size, so that a sanitizer sees a read past the end. `read` may throw Corrupt.
template <class Read>
void damage(Bytes bytes, Random &random, int rounds, Read &&read) {
    const auto attempt = [&](const std::vector<std::uint8_t> &damaged) {
        try {
            read(Bytes(damaged));
        } catch (const Corrupt &) {
        }
    };
    for (std::size_t size = 0; size < bytes.size(); ++size)
        attempt({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::uint8_t> damaged(bytes.begin(), bytes.end());
        for (std::size_t hits = 1 + below(random, 4); hits > 0 && !damaged.empty(); --hits) {
            // The front, where the sizes are, more often than the rest.
            const std::size_t reach =
                one_in(random, 2) ? std::min<std::size_t>(16, damaged.size()) : damaged.size();
            std::uint8_t &byte = damaged[below(random, reach)];
            byte = one_in(random, 3)   ? std::uint8_t{0xFF}
                   : one_in(random, 2) ? static_cast<std::uint8_t>(byte ^ (1U << below(random, 8)))
                                       : static_cast<std::uint8_t>(random());
        }
        attempt(damaged);
    }
}

// Bytes written as hexadecimal digits, blanks ignored.
inline std::vector<std::uint8_t> from_hex(std::string_view digits) {
    std::vector<std::uint8_t> bytes;
    std::string pair;
    for (const char digit : digits) {
        if (digit != ' ')
            pair += digit;
        if (pair.size() == 2) {
            bytes.push_back(static_cast<std::uint8_t>(std::stoul(pair, nullptr, 16)));
            pair.clear();
        }
    }
    return bytes;
}

inline std::vector<std::uint8_t> copy(Bytes bytes) { return {bytes.begin(), bytes.end()}; }

} // namespace codec_test
