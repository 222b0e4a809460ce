// memory.block, memory.blocks and memory.render_blocks: blocks as they are.
#include "access/call.h"
#include "blocks/names.h"
#include "blocks/pinned.h"
#include "blocks/sql.h"
#include "blocks/tables.h"
#include "pg/memory.h"
#include "pg/statement.h"

namespace memory::blocks {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(find_one, R"(
    SELECT {block:b,true} FROM memory.blocks b {places:b} WHERE {named:b})"_sql);

MEMORY_STATEMENT(find_pinned, R"(
    SELECT b.name, b.content FROM memory.blocks b
    WHERE {tenant:b} AND b.place IS NOT NULL ORDER BY b.place, b.name)"_sql);

// {0} says which names are listed, $3 whether pinned ones, others, or NULL, $4 whether with their
// contents.
constexpr pg::sql::Fragment lists[]{
    {"listed", "{tenant:b} AND {0} AND ($3::boolean IS NULL OR (b.place IS NOT NULL) = $3)"},
    {"list", "SELECT {block:b,$4} FROM memory.blocks b {places:b} WHERE {listed:{0}}"
             " ORDER BY n.place, b.name"},
    // A name has as many segments as $5 at most: deeper ones are one row of the directory that so
    // many lead to.
    {"rolled_up", R"(
    SELECT l.* FROM (
        SELECT {block:b,$4} FROM memory.blocks b {places:b}
        WHERE {listed:{0}} AND memory_internal.block_directory(b.name, $5) IS NULL
        UNION ALL
        SELECT d.name, NULL, NULL, NULL, NULL, NULL, NULL, sum(d.chars)::bigint,
            max(d.updated_at), NULL, NULL, CASE WHEN $2 <> '' THEN $2 END
        FROM (SELECT memory_internal.block_directory(b.name, $5) AS name, b.chars, b.updated_at
              FROM memory.blocks b WHERE {listed:{0}}) d
        WHERE d.name IS NOT NULL GROUP BY d.name) l
    ORDER BY l.place, l.name)"},
    // One name, and what lies below it.
    {"in_directory", "(b.name = $6 OR ({between:b,$7,$8}))"},
};

// Planned for what is asked for: the few that are pinned have an index of their own.
MEMORY_STATEMENT(list_all, pg::compose<"{list:true}", access::fragments, fragments, lists>(),
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(list_directory,
                 pg::compose<"{list:{in_directory}}", access::fragments, fragments, lists>(),
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(roll_up_all,
                 pg::compose<"{rolled_up:true}", access::fragments, fragments, lists>(),
                 pg::Statement::for_each_values);
MEMORY_STATEMENT(roll_up_directory,
                 pg::compose<"{rolled_up:{in_directory}}", access::fragments, fragments, lists>(),
                 pg::Statement::for_each_values);

// A directory to list: nothing for all of them.
struct Directory {
    std::optional<std::string_view> name; // nothing for the one that is above all names with a /
    std::string_view from;
    std::string_view to;
    std::int64_t segments;
};

std::optional<Directory> checked_directory(const pg::Given<std::string_view> &prefix) {
    if (!prefix)
        return std::nullopt;
    if (prefix.required() == "/") {
        const Below below("");
        return Directory{std::nullopt, below.from, below.to, 0};
    }
    const std::string_view name = checked_name(prefix);
    const Below below(name);
    return Directory{name, below.from, below.to,
                     static_cast<std::int64_t>(editing::segments(name))};
}

} // namespace

std::pmr::vector<PinnedText> pinned_texts(SnapshotOf snapshot, const access::Tenant &tenant,
                                          std::pmr::memory_resource *memory) {
    const pg::Rows rows = find_pinned.run(snapshot, {tenant});
    std::pmr::vector<PinnedText> texts(memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [name, content] = rows.get<pg::Text, pg::Text>(row);
        texts.push_back({pg::copied_text(name), pg::copied_text(content)});
    }
    return texts;
}

// The directory of a name that has more than so many segments.
MEMORY_FUNCTION(memory_block_directory) {
    const std::string_view name = *arguments.text(0);
    const std::int64_t segments = DatumGetInt64(arguments.datum(1));
    if (segments < 1 || static_cast<std::size_t>(segments) >= editing::segments(name))
        return arguments.null_result();
    return pg::to_datum(editing::first_segments(name, static_cast<std::size_t>(segments)));
}

MEMORY_CALL(memory_block, "name text, user_id text") {
    const std::string_view name = checked_name(call.text("name"));
    access::Reading reading(call, room);
    reading.rows().add_from(find_one, SnapshotOf::caller, {reading.tenant(), name});
    return call.nothing();
}

MEMORY_CALL(memory_blocks, "prefix text, depth bigint, pinned boolean, with_content boolean,"
                           " user_id text") {
    const std::optional<Directory> directory = checked_directory(call.text("prefix"));
    const std::optional<std::int64_t> depth = call.bigint("depth").between(1, access::longest_name);
    const std::optional<bool> pinned = call.boolean("pinned");
    const bool with_content = call.boolean("with_content").or_else(true);
    access::Reading reading(call, room);
    pg::Values values{reading.tenant(), pinned, with_content,
                      depth ? std::optional(*depth + (directory ? directory->segments : 0))
                            : std::nullopt};
    if (!directory) {
        reading.rows().add_from(depth ? roll_up_all : list_all, SnapshotOf::caller, values);
        return call.nothing();
    }
    values.add(directory->name);
    values.add(directory->from);
    values.add(directory->to);
    reading.rows().add_from(depth ? roll_up_directory : list_directory, SnapshotOf::caller, values);
    return call.nothing();
}

MEMORY_CALL(memory_render_blocks, "user_id text") {
    const access::Reading reading(call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::string text(&memory);
    for (const PinnedText &block : pinned_texts(SnapshotOf::caller, reading.tenant(), &memory)) {
        if (!text.empty())
            text.push_back('\n');
        text.append("<").append(block.name).append(">\n");
        text.append(block.content);
        text.append("\n</").append(block.name).append(">");
    }
    return call.result(std::string_view(text));
}

} // namespace memory::blocks
