// memory.import_user(): lines of an export, written as rows.
//
// The lines of a call are checked as lines before the first is written, and what is wrong with one
// names it. All of them are one statement of the caller's, which happens whole or not at all.
#include "access/call.h"
#include "access/session_identity.h"
#include "episodes/tables.h"
#include "facts/predicates.h"
#include "lines/line.h"
#include "models/tasks.h"
#include "pg/attempt.h"
#include "pg/function_call.h"
#include "pg/json_writer.h"
#include "pg/memory.h"
#include "schema/as_they_were.h"

namespace memory::moving {

namespace {

using Lines = std::pmr::vector<lines::Line>;

// All of one user.
Lines read_lines(std::span<const pg::Document> given, std::pmr::memory_resource *memory) {
    Lines read(memory);
    read.reserve(given.size());
    for (const pg::Document &one : given) {
        pg::check_for_interrupts();
        read.emplace_back(read.size() + 1, pg::json_root(one.jsonb));
        if (read.back().user() != read.front().user())
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s is of another user than lines[1]",
                            read.back().place().text().data())
                .hint("Import one user at a time.");
    }
    return read;
}

// Whose rows they become: the argument's, else the setting's, else those of the user that they are
// of.
access::Tenant tenant_for(const pg::Given<std::string_view> &user, const Lines &read) {
    if (user || read.empty())
        return access::writing_tenant(user);
    const std::optional<std::string_view> setting = access::user_setting();
    const std::string_view own = read.front().user();
    if (setting && *setting != own) {
        const pg::Quoted found(own.empty() ? "(anonymous)" : own);
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "lines are of user %.*s, and memory.user_id is another", found.length,
                        found.text)
            .hint("Pass user_id to say whose rows they become.");
    }
    return access::writing_tenant(
        pg::Given({"user_id"}, own.empty() ? std::nullopt : std::optional(own)));
}

// What users of a namespace share is agreed upon, and not written over.
void agree(const lines::Line &line) {
    pg::naming(line.place().text().data(), [&] {
        const std::optional<std::string_view> cardinality = line.text("cardinality");
        if (cardinality != "one" && cardinality != "many")
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "\"cardinality\" must be one or many");
        facts::agree(line.text("predicate").value_or(""), cardinality == "many",
                     line.text("inverse"));
    });
}

// How many rows of one table have been written, and how many were there.
struct Count {
    const schema::Table *table;
    std::int64_t written = 0;
    std::int64_t unchanged = 0;
};

using Counts = std::pmr::vector<Count>;

Count &count_of(Counts &counts, const schema::Table &table) {
    for (Count &count : counts)
        if (count.table == &table)
            return count;
    return counts.emplace_back(Count{&table});
}

// Whether it is a vector by the model that the database embeds with here. It makes them of what the
// lines say, and with the dimensions that are in use here.
bool is_made_here(const lines::Line &line, const access::Tenant &tenant) {
    const auto is_vector = [](const schema::Column &column) {
        return column.type == schema::Type::vector;
    };
    if (!std::ranges::any_of(line.table().columns, is_vector))
        return false;
    const std::string_view model = models::embedder_here(tenant.name_space);
    return !model.empty() && line.text("model") == model;
}

void write(const Lines &read, const access::Tenant &tenant, Counts &counts) {
    const schema::AsTheyWere copies;
    pg::TemporaryContext per_line("memory.import_user");
    for (const lines::Line &line : read) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_line.get());
        Count &count = count_of(counts, line.table());
        if (!schema::of_users(line.table()))
            agree(line);
        else if (!is_made_here(line, tenant) && line.write(tenant))
            ++count.written;
        else
            ++count.unchanged;
        per_line.reset();
    }
}

pg::Document receipt(const Counts &counts) {
    pg::JsonWriter json;
    for (const char *member : {"written", "unchanged"}) {
        json.begin_object(member);
        for (const Count &count : counts)
            if (schema::of_users(*count.table))
                json.add(count.table->name, *member == 'w' ? count.written : count.unchanged);
        json.end_object();
    }
    return {json.finish()};
}

} // namespace

MEMORY_CALL(memory_import_user, "lines jsonb[], user_id text") {
    const std::span<const pg::Document> given = call.jsons("lines").required();
    const auto user = call.text("user_id");
    schema::require_all(schema::Need::to_write);
    access::Connection writing(schema::Need::to_write, call, episodes::room);
    pg::ContextResource memory(CurrentMemoryContext);
    const Lines read = read_lines(given, &memory);
    const access::Tenant tenant = tenant_for(user, read);
    access::SessionIdentity().check_may_write(tenant);
    Counts counts(&memory);
    write(read, tenant, counts);
    facts::check_lines(tenant);
    return call.result(receipt(counts));
}

} // namespace memory::moving
