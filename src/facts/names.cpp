// Names and their keys: the normal forms of text/names.h, in the encoding of the database.
#include "facts/names.h"

#include "episodes/settings.h"
#include "pg/encoding.h"
#include "pg/function_call.h"
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

std::string_view normal(Normal form, std::string_view text) {
    pg::ContextResource memory(CurrentMemoryContext);
    return pg::copied_text(
        pg::from_utf8(form(pg::to_utf8(text), &memory, text::server_interruption)));
}

Name checked_name(const pg::Given<std::string_view> &given) {
    const std::string_view shown = given.required();
    const std::string_view key = entity_key(shown);
    pg::Given<std::string_view>(given.place(), key)
        .not_empty("Nothing is left of it when spaces and invisible characters are taken away.");
    return {key, shown};
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

Name subject_name(const pg::Given<std::string_view> &given) {
    const Name name = checked_name(given);
    given.at_most(longest_subject);
    return name;
}

std::string_view predicate_name(const pg::Given<std::string_view> &given) {
    return pg::Given<std::string_view>(given.place(), predicate_key(given.required()))
        .not_empty("A predicate needs a letter or a digit.")
        .at_most(longest_predicate)
        .required();
}

Name object_name(const pg::Given<std::string_view> &given) {
    return checked_name(given.at_most(episodes::max_content()));
}

MEMORY_CALL(memory_normalize_predicate, "predicate text") {
    return call.result(predicate_key(call.text("predicate").required()));
}

} // namespace memory::facts
