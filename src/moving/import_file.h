// What a file of memories says, against what is there: what is new is added, what a person has
// edited is revised, all else is left alone (docs/moving.md, "Markdown").
#pragma once

#include "access/scope.h"
#include "moving/ids.h"
#include "pg/attempt.h"
#include "pg/memory.h"

#include <span>

namespace memory::moving {

using markdown::Entry;
using Entries = std::span<const Entry *const>;

// The file that a call imports.
struct ImportedFile {
    access::Tenant tenant;
    std::string_view path;
    markdown::File file;

    // "MEMORY.md line 3", in the current memory context.
    const char *place_of(std::size_t line) const;
    // Runs `body`, which is about an entry: an error names its line.
    template <class Body>
    auto naming(const Entry &entry, Body &&body) const {
        return pg::naming(place_of(entry.line), body);
    }
};

// The ids that entries have.
std::pmr::vector<pg_uuid_t> ids_in(Entries entries, std::pmr::memory_resource *memory);

// What is to become of a memory that is there already.
enum class Fate { unchanged, edited };

// Of an entry whose memory says `stored`, which are the same words where `same`. One that was not
// edited since it was written is left alone, whatever has become of its memory since. An error
// (40001) where both have changed.
Fate fate_of(const Entry &entry, bool same, std::uint64_t stored);
[[noreturn]] void throw_stale();

// A time as a file says it.
pg::Instant instant_of(std::string_view iso);

// Write entries; return how many memories were added or revised. Need a live Spi.
std::int64_t import_facts(const ImportedFile &file, Entries facts,
                          std::pmr::memory_resource *memory);
std::int64_t import_episodes(const ImportedFile &file, Entries episodes,
                             std::pmr::memory_resource *memory);

} // namespace memory::moving
