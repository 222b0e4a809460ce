// Finds out how much of the way is there, makes the rest around the value, and leaves the setting
// to PostgreSQL's jsonb_set.
#include "conversations/state_path.h"

#include "pg/json.h"
#include "pg/values.h"
#include "sessions/sessions.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::conversations {

namespace {

// How many names of the way lead from one object to the next.
std::size_t objects_on_the_way(pg::Document state, StatePath path) {
    pg::JsonValue at = pg::json_root(state.jsonb);
    for (std::size_t depth = 0;; ++depth) {
        if (!at.is_object()) {
            const pg::Quoted name(depth > 0 ? path[depth - 1] : std::string_view());
            pg::Error error =
                depth == 0 ? pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                                       "state_path: the state is %s, not an object", at.described())
                           : pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                                       "state_path: \"%.*s\" (element %zu) is %s, not an object",
                                       name.length, name.text, depth, at.described());
            throw error.hint("Only objects are passed through; set the whole of it instead.");
        }
        const auto next = at.member(path[depth]);
        if (!next || depth + 1 == path.size())
            return depth;
        at = *next;
    }
}

// Objects with one member each, the value in the innermost.
pg::Document wrapped(StatePath names, pg::Document value) {
    if (names.empty())
        return value;
    const JsonbValue innermost = pg::json_root(value.jsonb).raw();
    return {pg::call([&] {
        JsonbParseState *state = nullptr;
        JsonbValue key{};
        key.type = jbvString;
        for (const std::string_view name : names) {
            key.val.string = {static_cast<int>(name.size()), const_cast<char *>(name.data())};
            pushJsonbValue(&state, WJB_BEGIN_OBJECT, nullptr);
            pushJsonbValue(&state, WJB_KEY, &key);
        }
        JsonbValue last = innermost;
        pushJsonbValue(&state, WJB_VALUE, &last);
        JsonbValue *whole = nullptr;
        for (std::size_t n = 0; n < names.size(); ++n)
            whole = pushJsonbValue(&state, WJB_END_OBJECT, nullptr);
        return JsonbPGetDatum(JsonbValueToJsonb(whole));
    })};
}

} // namespace

std::optional<StatePath> checked_path(const pg::Given<StatePath> &path) {
    if (!path)
        return std::nullopt;
    const StatePath names = path.required();
    if (names.empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "state_path must not be empty")
            .hint("Leave it out, or pass NULL, to set the whole state.");
    std::size_t size = 0;
    for (std::size_t n = 0; n < names.size(); ++n) {
        const pg::Given<std::string_view> name({{}, "state_path", n}, names[n]);
        size += name.not_empty().required().size();
    }
    if (size > sessions::longest_name)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "state_path is longer than %zu bytes",
                        sessions::longest_name);
    return names;
}

pg::Document with_place(std::optional<pg::Document> state, StatePath path, pg::Document value) {
    if (!state)
        return wrapped(path, value);
    const std::size_t depth = objects_on_the_way(*state, path);
    const pg::Document made = wrapped(path.subspan(depth + 1), value);
    const pg::Parameter place = pg::array_as<pg::Text>(path.first(depth + 1));
    return {pg::call([&] {
        return DirectFunctionCall4(jsonb_set, state->jsonb, place.value, made.jsonb,
                                   BoolGetDatum(true));
    })};
}

} // namespace memory::conversations
