// Reads an object of names and versions.
#include "checkpoints/refs.h"

#include "pg/json.h"
#include "sessions/sessions.h"

namespace memory::checkpoints {

namespace {

[[noreturn]] void throw_no_string(std::string_view name, const pg::JsonValue &value) {
    const pg::Quoted shown(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "refs: \"%.*s\" must be a string, not %s",
                    shown.length, shown.text, value.described())
        .hint("A version is written as text: {\"messages\": \"3\"}.");
}

} // namespace

Refs refs_of(pg::Document refs, std::pmr::memory_resource *memory) {
    Refs found(memory);
    pg::JsonWalk walk(pg::json_root(refs.jsonb));
    while (const auto member = walk.next_member()) {
        const std::optional<std::string_view> version = member->value.string();
        if (!version)
            throw_no_string(member->key, member->value);
        found.push_back({member->key, *version});
    }
    std::sort(found.begin(), found.end());
    return found;
}

Refs checked_refs(const pg::Given<pg::Document> &given, std::pmr::memory_resource *memory) {
    if (!given.object())
        return Refs(memory);
    Refs refs = refs_of(given.required(), memory);
    for (const Ref &ref : refs) {
        sessions::checked_name({given.place(), ref.name});
        sessions::checked_name({given.place(), ref.version});
    }
    return refs;
}

const Ref *find(const Refs &refs, std::string_view name) {
    const auto found = std::lower_bound(refs.begin(), refs.end(), Ref{name, {}});
    return found != refs.end() && found->name == name ? &*found : nullptr;
}

} // namespace memory::checkpoints
