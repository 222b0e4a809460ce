// What the fuzzers of the codecs share.
#pragma once

#include "index/codec/bytes.h"

#include <cstdio>
#include <cstdlib>
#include <fuzzer/FuzzedDataProvider.h>
#include <map>
#include <string>
#include <vector>

namespace codec_fuzz {

using namespace memory::codec;

inline void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

inline ByteBuffer new_buffer() { return ByteBuffer(std::pmr::get_default_resource()); }

// In memory of its own exact size, so that a sanitizer sees a read past the end.
inline std::vector<std::uint8_t> exact(const ByteBuffer &buffer) {
    return {buffer.begin(), buffer.end()};
}

// Sorted, distinct terms of any bytes, and a number for each.
inline std::map<std::string, std::uint32_t> some_terms(FuzzedDataProvider &data, std::size_t most) {
    std::map<std::string, std::uint32_t> terms;
    std::string term;
    while (terms.size() < most && data.remaining_bytes() > 0) {
        term.resize(data.ConsumeIntegralInRange<std::size_t>(0, term.size()));
        term += data.ConsumeRandomLengthString(255 - term.size());
        if (!term.empty())
            terms[term] = data.ConsumeIntegralInRange<std::uint32_t>(1, UINT32_MAX);
    }
    return terms;
}

} // namespace codec_fuzz
