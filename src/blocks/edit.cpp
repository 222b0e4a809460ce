// memory.append_block and memory.edit_block: changes that are made of what a block says.
#include "blocks/editing/edit.h"
#include "access/call.h"
#include "blocks/block.h"
#include "blocks/tables.h"
#include "episodes/settings.h"
#include "pg/encoding.h"
#include "pg/memory.h"

#include <charconv>

namespace memory::blocks {

namespace {

constexpr char max_content_hint[] = "memory.max_content is the limit.";

std::string_view appended(std::string_view before, std::string_view separator,
                          std::string_view content) {
    if (before.empty())
        return content;
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string text(&memory);
    text.reserve(before.size() + separator.size() + content.size());
    text.append(before).append(separator).append(content);
    return pg::copied_text(text);
}

// Where an edit goes: the one place of a text, or behind a line.
struct Edit {
    std::string_view replacement;
    std::optional<std::string_view> old;
    std::optional<std::int64_t> line;
};

Edit checked_edit(const pg::Given<std::string_view> &replacement,
                  const pg::Given<std::string_view> &old, const pg::Given<std::int64_t> &line) {
    const Edit edit{replacement.at_most(episodes::max_content(), max_content_hint).required(),
                    old.not_empty("Give the text that is to be replaced, or line to insert one."),
                    line.between(0, std::numeric_limits<std::int64_t>::max())};
    if (!edit.old && !edit.line)
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "old or line must be given")
            .hint("old is the text that is to be replaced, line the one to insert behind.");
    if (edit.old && edit.line)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "old and line must not both be given");
    return edit;
}

// "1, 3, 7", and dots where there are more.
std::string_view list_of(const editing::Places &places) {
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string list(&memory);
    for (const std::size_t line : places.lines) {
        std::array<char, 20> digits{};
        const char *end = std::to_chars(digits.begin(), digits.end(), line).ptr;
        list.append(list.empty() ? "" : ", ").append(std::string_view(digits.data(), end));
    }
    if (places.more_lines)
        list.append(" ...");
    return pg::copied_text(list);
}

[[noreturn]] void throw_places(std::string_view name, const editing::Places &places) {
    const pg::Quoted quoted(name);
    if (places.count == 0)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "old does not stand in block \"%.*s\"",
                        quoted.length, quoted.text)
            .hint("Every character counts, blanks and line feeds included.");
    const std::string_view lines = list_of(places);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "old stands in block \"%.*s\" more than once",
                    quoted.length, quoted.text)
        .detail("It stands there %zu times; lines: %.*s.", places.count,
                static_cast<int>(lines.size()), lines.data())
        .hint("Give more of the text around the place that is meant.");
}

[[noreturn]] void throw_past_end(std::string_view name, std::int64_t line, std::size_t lines) {
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "line is %lld, but block \"%.*s\" has %zu",
                    static_cast<long long>(line), quoted.length, quoted.text, lines)
        .hint("0 is before the first line.");
}

// Where characters have more than one byte, a text is found by whole characters in UTF-8 only.
std::string_view edited(std::string_view name, std::string_view content, const Edit &edit) {
    pg::ContextResource memory(CurrentMemoryContext);
    const std::string_view text = pg::to_utf8(content);
    const std::string_view replacement = pg::to_utf8(edit.replacement);
    if (edit.line) {
        const auto result =
            editing::inserted(text, static_cast<std::size_t>(*edit.line), replacement, &memory);
        if (!result)
            throw_past_end(name, *edit.line, editing::lines_in(text));
        return pg::from_utf8(pg::copied_text(*result));
    }
    const std::string_view old = pg::to_utf8(*edit.old);
    const editing::Places places = editing::places_of(old, text, &memory);
    if (places.count != 1)
        throw_places(name, places);
    return pg::from_utf8(
        pg::copied_text(editing::replaced(text, places.first, old.size(), replacement, &memory)));
}

[[noreturn]] void throw_missing(std::string_view name) {
    const pg::Quoted quoted(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "there is no block \"%.*s\"", quoted.length,
                    quoted.text)
        .hint("memory.set_block and memory.append_block make blocks.");
}

} // namespace

MEMORY_CALL(memory_append_block, "name text, content text, separator text, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    const std::string_view content =
        call.text("content").at_most(episodes::max_content(), max_content_hint).required();
    const std::string_view separator =
        call.text("separator").at_most(episodes::max_content(), max_content_hint).or_else("");
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    lock_names(tenant, {name});
    const std::optional<Text> text = lock_text(tenant, name);
    if (!text)
        return call.result(make(tenant, name, content, {}));
    return call.result(change(tenant, name, *text, appended(text->content, separator, content)));
}

MEMORY_CALL(memory_edit_block, "name text, new text, old text, line bigint, user_id text,"
                               " expected_version bigint") {
    const std::string_view name = checked_name(call.text("name"));
    const Edit edit = checked_edit(call.text("new"), call.text("old"), call.bigint("line"));
    const std::optional<std::int64_t> expected = checked_version(call.bigint("expected_version"));
    const access::Writing writing(call, room);
    const access::Tenant &tenant = writing.tenant();
    lock_names(tenant, {name});
    const std::optional<Text> text = lock_text(tenant, name);
    if (!text)
        throw_missing(name);
    check_version(name, expected, text->block.version);
    check_writable(name, text->block.read_only);
    return call.result(change(tenant, name, *text, edited(name, text->content, edit)));
}

} // namespace memory::blocks
