// Texts, JSON and identifiers on their way between C++ and Datum.
#include "fail.h"
#include "pg/json.h"
#include "pg/rows.h"
#include "pg/trigger.h"
#include "pg/uuid7.h"

#include <functional>

namespace door {

// std::bind, which is found for types of the standard library, would take the place of sending.
static_assert(!pg::BindsItself<std::string_view> && !pg::BindsItself<std::pmr::vector<pg_uuid_t>>);

namespace {

void write(const pg::JsonValue &value, std::string &to);

void write_array(const pg::JsonValue &array, std::string &to) {
    to += '[';
    pg::JsonWalk walk(array);
    while (const auto element = walk.next_element()) {
        if (to.back() != '[')
            to += ',';
        write(*element, to);
    }
    to += ']';
}

void write_object(const pg::JsonValue &object, std::string &to) {
    to += '{';
    pg::JsonWalk walk(object);
    while (const auto member = walk.next_member()) {
        if (to.back() != '{')
            to += ',';
        // A key as a JSON string: quoted by PostgreSQL.
        JsonbValue key{};
        key.type = jbvString;
        key.val.string.val = const_cast<char *>(member->key.data());
        key.val.string.len = static_cast<int>(member->key.size());
        to.append(pg::JsonValue(key).to_text()).append(":");
        write(member->value, to);
    }
    to += '}';
}

// The JSON text of what the walker sees.
void write(const pg::JsonValue &value, std::string &to) {
    if (value.is_array())
        write_array(value, to);
    else if (value.is_object())
        write_object(value, to);
    else
        to += value.to_text();
}

} // namespace

// (json): the same, walked down to its leaves and written anew.
MEMORY_FUNCTION(door_rewritten) {
    std::string text;
    write(pg::json_root(arguments.datum(0)), text);
    return pg::to_datum(std::string_view(text));
}

// (json): what a message would call it.
MEMORY_FUNCTION(door_described) {
    return pg::to_datum(std::string_view(pg::json_root(arguments.datum(0)).described()));
}

// (json): the string in it; NULL for anything else.
MEMORY_FUNCTION(door_json_string) {
    const auto string = pg::json_root(arguments.datum(0)).string();
    return string ? pg::to_datum(*string) : arguments.null_result();
}

// (json): a number as real.
MEMORY_FUNCTION(door_json_real) { return pg::json_root(arguments.datum(0)).to_float4(); }

// (text): a copy by way of a view.
MEMORY_FUNCTION(door_same_text) { return pg::to_datum(arguments.text(0).value()); }

// (text): its size without fetching it.
MEMORY_FUNCTION(door_text_size) {
    return pg::to_datum(static_cast<std::int32_t>(pg::text_size(arguments.datum(0))));
}

// (bytes): a text that claims so many.
MEMORY_FUNCTION(door_text_of_size) {
    static constexpr char bytes[] = "some bytes";
    return pg::to_datum(
        std::string_view(bytes, static_cast<std::size_t>(DatumGetInt64(arguments.datum(0)))));
}

// A literal is a text, not a bool.
MEMORY_FUNCTION(door_literal) { return pg::to_datum("a literal"); }

// (number): that many new identifiers, in the order in which they were made.
MEMORY_FUNCTION(door_new_ids) {
    pg::ResultSet result(arguments);
    for (std::int32_t left = DatumGetInt32(arguments.datum(0)); left > 0; --left) {
        const pg_uuid_t id = pg::new_id();
        result.add(UUIDPGetDatum(&id));
    }
    return Datum{0};
}

// The trigger's row in its own words.
MEMORY_FUNCTION(door_tell_row) {
    const pg::TriggerRow row(arguments, {"told"});
    const auto name = row.find<pg::Text>("name");
    const std::string text = name ? std::string(*name) : "no name";
    pg::call([&text] { ereport(NOTICE, (errmsg_internal("%s", text.c_str()))); });
    row.get<pg::Text>("name");
    row.find<pg::Text>("missing");
    return Datum{0};
}

} // namespace door
