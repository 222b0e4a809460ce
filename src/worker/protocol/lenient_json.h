// JSON as models write it: in fences, with words around it, with commas too many, cut off at the
// end. What is read is the document that was meant, as far as it goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

namespace memory::worker {

// Deeper than this is no answer to anything that is asked.
constexpr std::size_t deepest_json = 64;

// A whole document as a server writes it. discarded() where it is not well-formed, or too deep.
nlohmann::json read_exactly(std::string_view text);

// The longest object or list in `text` that can be read. Left out: what <think>…</think> encloses,
// commas before a closing bracket, characters that jsonb cannot hold. Where the text ends too early
// the elements and members that are whole are read. discarded() where there is none.
nlohmann::json read_leniently(std::string_view text);

// A member of an object; null where there is none, or no object.
const nlohmann::json &part_of(const nlohmann::json &object, const char *key);

// A member that is a count; 0 where there is none.
std::int64_t count_in(const nlohmann::json &object, const char *key);

} // namespace memory::worker
