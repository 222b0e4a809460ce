// Subjects, predicates and objects as callers write them, with the keys by which they match.
#pragma once

#include "pg/given.h"

namespace memory::facts {

// Views live as long as the memory context that was current when the name was made.
struct Name {
    std::string_view key;   // the normal form, in the database's encoding
    std::string_view shown; // as it was written
};

// What index entries have room for, in bytes.
inline constexpr std::size_t longest_subject = 512;
inline constexpr std::size_t longest_predicate = 256;
inline constexpr std::size_t longest_object_key = 256;

// Each is an error that names the argument when the text is missing, normalises to nothing or is
// too long.
Name subject_name(const pg::Given<std::string_view> &given);
std::string_view predicate_name(const pg::Given<std::string_view> &given);
Name object_name(const pg::Given<std::string_view> &given);

// The key of a subject or object that a read asks for: whatever it is, it is legal.
std::string_view entity_key(std::string_view text);
std::string_view predicate_key(std::string_view text);

} // namespace memory::facts
