// memory.import_markdown(): a file that a person may have edited, or written.
#include "moving/import_file.h"

#include "access/call.h"
#include "access/queue.h"
#include "blocks/block.h"
#include "blocks/tables.h"
#include "episodes/tables.h"
#include "facts/tables.h"
#include "pg/function_call.h"
#include "text/interruption_sql.h"

#include <map>

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::moving {

namespace {

using markdown::File;
using markdown::Thing;

std::int64_t import_block(const access::Tenant &tenant, std::string_view name,
                          std::string_view body) {
    blocks::lock_names(tenant, {name});
    const std::optional<blocks::Text> found = blocks::lock_text(tenant, name);
    if (found && found->content == body)
        return 0;
    if (found)
        blocks::change(tenant, name, *found, body);
    else
        blocks::make(tenant, name, body, {});
    return 1;
}

bool says_the_same(const Entry &a, const Entry &b) {
    return a.thing == b.thing && markdown::digest_of(a) == markdown::digest_of(b);
}

// The entries about one thing. A memory that stands in the file twice is one, as long as both say
// the same.
std::pmr::vector<const Entry *> entries_about(Thing thing, const ImportedFile &file,
                                              const markdown::Document &document,
                                              std::pmr::memory_resource *memory) {
    std::pmr::vector<const Entry *> entries(memory);
    std::pmr::map<markdown::Id, const Entry *> known(memory);
    for (const Entry &entry : document.entries) {
        if (entry.thing != thing)
            continue;
        if (entry.id) {
            const auto [place, is_new] = known.emplace(*entry.id, &entry);
            if (!is_new && !says_the_same(*place->second, entry))
                throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                                "%s: this is the memory of line %zu, and says something else",
                                file.place_of(entry.line), place->second->line)
                    .hint("Take the comment away where it is to be a memory of its own.");
            if (!is_new)
                continue;
        }
        entries.push_back(&entry);
    }
    return entries;
}

std::int64_t import_entries(const ImportedFile &file, std::string_view body,
                            std::pmr::memory_resource *memory) {
    const markdown::Document document =
        markdown::parse(body, file.file, text::server_interruption, memory);
    if (document.fault)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s: %s",
                        file.place_of(document.fault->line), document.fault->what);
    // One at a time for a user: what is new to one is not to the next.
    access::queue(file.tenant, "merged_episodes");
    // In the order in which all calls lock: lines of facts, then episodes.
    const std::int64_t facts =
        import_facts(file, entries_about(Thing::fact, file, document, memory), memory);
    return facts +
           import_episodes(file, entries_about(Thing::episode, file, document, memory), memory);
}

[[noreturn]] void throw_no_file(std::string_view path) {
    const pg::Quoted quoted(path);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "path: \"%.*s\" is no file of memories",
                    quoted.length, quoted.text)
        .hint("SOUL.md, MEMORY.md and memory/YYYY-MM-DD.md are; a path with a / is that of a "
              "block.");
}

} // namespace

const char *ImportedFile::place_of(std::size_t line) const {
    const pg::Quoted quoted(path);
    return pg::call([&] { return psprintf("%.*s line %zu", quoted.length, quoted.text, line); });
}

std::pmr::vector<pg_uuid_t> ids_in(Entries entries, std::pmr::memory_resource *memory) {
    std::pmr::vector<pg_uuid_t> ids(memory);
    for (const Entry *entry : entries)
        if (entry->id)
            ids.push_back(uuid_of(*entry->id));
    return ids;
}

Fate fate_of(const Entry &entry, bool same, std::uint64_t stored) {
    if (same || entry.digest == markdown::digest_of(entry))
        return Fate::unchanged;
    if (entry.digest && entry.digest != stored)
        throw_stale();
    return Fate::edited;
}

void throw_stale() {
    throw pg::Error(ERRCODE_T_R_SERIALIZATION_FAILURE,
                    "this memory has changed since it was exported, and was edited here")
        .hint("Export again, and edit that.");
}

pg::Instant instant_of(std::string_view iso) {
    const char *text = pg::c_string(iso);
    return pg::call([text] {
        return pg::Instant{DatumGetTimestampTz(
            DirectFunctionCall3(timestamptz_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
                                Int32GetDatum(-1)))};
    });
}

MEMORY_CALL(memory_import_markdown, "path text, body text, user_id text") {
    const std::string_view path = call.text("path").required();
    const std::string_view body = call.text("body").required();
    const File kind = markdown::file_at(path);
    if (kind == File::none)
        throw_no_file(path);
    if (kind == File::block)
        blocks::checked_name(call.text("path"));
    schema::require_all(schema::Need::to_write);
    const access::Writing writing(call, episodes::room);
    pg::ContextResource memory(CurrentMemoryContext);
    if (kind == File::soul || kind == File::block)
        return call.result(
            import_block(writing.tenant(), kind == File::soul ? "soul" : path, body));
    return call.result(import_entries({writing.tenant(), path, kind}, body, &memory));
}

} // namespace memory::moving
