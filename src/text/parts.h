// The parts of an atom that was written as one: camelCase, HTTPServer, utf8.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace memory::text {

struct Part {
    std::uint32_t begin;
    std::uint32_t end;
};

// The parts of an atom, or none if it has no inner border or looks random (a hash, base64): then it
// is worth only its whole. A border is between a letter and a digit, before a capital after a small
// letter, and before the last capital of several when a small letter follows (HTTP|Server) other
// than a plural s (URLs).
class Parts {
  public:
    static constexpr std::size_t most_parts = 16;

    // `atom` is well-formed UTF-8.
    explicit Parts(std::string_view atom);

    std::span<const Part> list() const { return {parts_.data(), count_}; }

  private:
    void cut(std::size_t at);
    void finish(std::size_t characters, std::size_t end);

    std::array<Part, most_parts> parts_;
    std::size_t count_ = 0;
    std::uint32_t begin_ = 0;
    bool too_many_ = false;
};

} // namespace memory::text
