// See names.h. The normal forms are those of text/names.h.
#include "facts/names.h"

#include "episodes/settings.h"
#include "pg/encoding.h"
#include "pg/error.h"
#include "pg/function.h"
#include "pg/memory.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

#include "text/interruption_sql.h"
#include "text/names.h"

namespace memory::facts {

namespace {

using Normal = std::pmr::string (*)(std::string_view, std::pmr::memory_resource *,
                                    text::Interruption &);

// A copy in the current memory context.
std::string_view kept(std::string_view text) { return pg::text_view(pg::to_datum(text)); }

std::string_view normal(Normal form, std::string_view text) {
    pg::ContextResource memory(CurrentMemoryContext);
    return kept(pg::from_utf8(form(pg::to_utf8(text), &memory, text::server_interruption)));
}

std::string_view required(const char *argument, std::optional<std::string_view> text) {
    if (!text)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "%s must not be null", argument);
    return *text;
}

void check_not_empty(const char *argument, std::string_view key) {
    if (key.empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must not be empty", argument)
            .hint("Nothing is left of it when spaces and invisible characters are taken away.");
}

void check_length(const char *argument, std::string_view text, std::size_t longest) {
    if (text.size() > longest)
        throw pg::Error(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "%s is longer than %zu bytes", argument,
                        longest);
}

// The beginning of a long key, and a hash of all of it.
std::string_view shortened(std::string_view key) {
    constexpr std::size_t digits = 64;
    const Datum text = pg::to_datum(key);
    return pg::call([&]() -> std::string_view {
        static constexpr char mark[] = " sha256:";
        constexpr std::size_t room = longest_object_key - (sizeof mark - 1) - digits;
        const int beginning =
            pg_mbcliplen(key.data(), static_cast<int>(key.size()), static_cast<int>(room));
        const auto *hash = DatumGetByteaPP(DirectFunctionCall1(sha256_bytea, text));
        auto *result = static_cast<char *>(palloc(longest_object_key));
        char *end = std::copy_n(key.data(), beginning, result);
        end = std::copy_n(mark, sizeof mark - 1, end);
        end += hex_encode(VARDATA_ANY(hash), VARSIZE_ANY_EXHDR(hash), end);
        return {result, static_cast<std::size_t>(end - result)};
    });
}

} // namespace

std::string_view entity_key(std::string_view text) {
    const std::string_view key = normal(text::normal_name, text);
    return key.size() > longest_object_key ? shortened(key) : key;
}

std::string_view predicate_key(std::string_view text) {
    return normal(text::normal_predicate, text);
}

Name subject_name(const char *argument, std::optional<std::string_view> text) {
    const Name name{entity_key(required(argument, text)), *text};
    check_not_empty(argument, name.key);
    check_length(argument, name.shown, longest_subject);
    return name;
}

std::string_view predicate_name(const char *argument, std::optional<std::string_view> text) {
    const std::string_view key = predicate_key(required(argument, text));
    if (key.empty())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must not be empty", argument)
            .hint("A predicate needs a letter or a digit.");
    check_length(argument, key, longest_predicate);
    return key;
}

Name object_name(const char *argument, std::optional<std::string_view> text) {
    const std::string_view shown = required(argument, text);
    check_length(argument, shown, episodes::max_content());
    const Name name{entity_key(shown), shown};
    check_not_empty(argument, name.key);
    return name;
}

MEMORY_FUNCTION(memory_normalize_predicate) {
    return pg::to_datum(predicate_key(*arguments.text(0)));
}

} // namespace memory::facts
