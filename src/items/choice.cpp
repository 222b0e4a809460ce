// Checks what callers name items by, and makes ranges of places of it.
#include "items/choice.h"

#include "pg/arrays.h"
#include "pg/function.h"

extern "C" {
#include "utils/array.h"
}

namespace memory::items {

namespace {

pg::Parameter as_bytes(std::string_view bytes) { return pg::as<pg::Bytea>(pg::bytes_of(bytes)); }

// "path[2]", and in an element of an array "items[3].path[2]".
pg::Error at_name(const pg::Place &path, std::size_t n) {
    return pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s[%zu] must not be empty",
                     path.text().data(), n)
        .hint("Every name of a path has at least one byte.");
}

} // namespace

std::optional<Path> checked_path(const pg::Given<Path> &given) {
    if (!given)
        return std::nullopt;
    const Path path = given.required();
    std::size_t bytes = 0;
    for (std::size_t n = 0; n < path.size(); ++n) {
        if (path[n].empty())
            throw at_name(given.place(), n);
        bytes += path[n].size();
    }
    if (bytes > access::longest_name)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "%s has %zu bytes, more than %zu",
                        given.place().text().data(), bytes, access::longest_name)
            .hint("It is the names of a path together that count.");
    return path;
}

Path required_path(const pg::Given<Path> &given) {
    checked_path(given);
    return given.required();
}

std::string_view checked_key(const pg::Given<std::string_view> &given) {
    return given.not_empty().at_most(access::longest_name).required();
}

std::optional<Path> checked_keys(const pg::Given<Path> &given) {
    if (given)
        for (std::size_t n = 0; n < given.required().size(); ++n)
            checked_key(pg::Given<std::string_view>({{}, given.place().text().data(), n},
                                                    given.required()[n]));
    return given;
}

pg::Parameter place_of(Path path, std::string_view key) {
    pg::ContextResource memory(CurrentMemoryContext);
    return as_bytes(place::of(path, key, &memory));
}

void bind(pg::Values &to, const Choice &choice) {
    pg::ContextResource memory(CurrentMemoryContext);
    const place::Range range =
        choice.exact ? place::at(choice.prefix, &memory) : place::under(choice.prefix, &memory);
    // All of a user's items are no range: the planner would take it for a few.
    const bool all = choice.prefix.empty() && !choice.exact;
    to.add(all ? pg::Parameter::absent(BYTEAOID) : as_bytes(range.from));
    to.add(all ? pg::Parameter::absent(BYTEAOID) : as_bytes(range.to));
    to.add(range.exact ? std::nullopt : std::optional(choice.prefix));
    to.add(choice.exact);
    to.add(choice.keys);
    to.add(choice.filter);
    to.add(choice.before);
}

namespace {

// Of anything that an array of texts can be.
std::pmr::vector<std::string_view> names_of(Datum array, std::pmr::memory_resource *memory) {
    bool *nulls;
    const pg::ArrayElements found = pg::array_elements(TEXTOID, array, nulls);
    std::pmr::vector<std::string_view> names(memory);
    names.reserve(found.size);
    for (std::size_t n = 0; n < found.size; ++n)
        names.push_back(nulls[n] ? std::string_view() : pg::text_view(found.values[n]));
    return names;
}

} // namespace

// Part of an index, and LEAKPROOF: it refuses nothing.
MEMORY_FUNCTION(memory_place_key) {
    pg::ContextResource memory(CurrentMemoryContext);
    const auto path = names_of(arguments.datum(0), &memory);
    return pg::to_datum(pg::bytes_of(place::of(path, *arguments.text(1), &memory)));
}

MEMORY_FUNCTION(memory_path_matches) {
    pg::ContextResource memory(CurrentMemoryContext);
    const auto path = names_of(arguments.datum(0), &memory);
    const auto prefix = names_of(arguments.datum(1), &memory);
    const auto suffix = names_of(arguments.datum(2), &memory);
    return pg::to_datum(place::matches(path, prefix, suffix));
}

} // namespace memory::items
