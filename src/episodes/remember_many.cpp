// memory.remember_many: a JSON array of episodes, all or nothing.
//
// Every element is read and checked before the first is written, and what is wrong with one is told
// with its place: "episodes[3].importance must be a number, not a string".
#include "access/scope.h"
#include "episodes/episode.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/json.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "setup/schema.h"

extern "C" {
#include "utils/fmgrprotos.h"
}

namespace memory::episodes {

namespace {

using pg::JsonValue;

// Scope for elements that name none.
struct Defaults {
    std::optional<std::string_view> user_id;
    std::optional<std::string_view> session_id;
};

// Where in the argument something is wrong: "episodes[3]" or "episodes[3].ttl".
using Place = std::array<char, 64>;

Place place_of(std::size_t index) {
    Place place{};
    std::snprintf(place.data(), place.size(), "episodes[%zu]", index);
    return place;
}

Place place_of(std::size_t index, const char *field) {
    Place place{};
    std::snprintf(place.data(), place.size(), "episodes[%zu].%s", index, field);
    return place;
}

// One element of the array while it is read.
class Element {
  public:
    Element(std::size_t index, const Defaults &defaults) : index_(index) {
        user_id_ = defaults.user_id;
        episode_.session_id = defaults.session_id ? defaults.session_id : access::session_setting();
        episode_.agent_id = access::agent_setting();
    }

    // The checked episode.
    Episode read(const JsonValue &value);

  private:
    struct Field {
        std::string_view name;
        void (Element::*take)(const char *field, const JsonValue &value);
    };
    static const Field fields[];

    void take_member(std::string_view name, const JsonValue &value);

    std::string_view text(const char *field, const JsonValue &value) const;
    Datum converted(const char *field, const JsonValue &value, PGFunction input) const;
    [[noreturn]] void wrong_type(const char *field, const char *wanted,
                                 const JsonValue &value) const;

    void take_content(const char *f, const JsonValue &v) { episode_.content = text(f, v); }
    void take_response(const char *f, const JsonValue &v) { episode_.response = text(f, v); }
    void take_user_id(const char *f, const JsonValue &v) { user_id_ = text(f, v); }
    void take_session_id(const char *f, const JsonValue &v) { episode_.session_id = text(f, v); }
    void take_agent_id(const char *f, const JsonValue &v) { episode_.agent_id = text(f, v); }
    void take_kind(const char *f, const JsonValue &v) { episode_.kind = text(f, v); }
    void take_role(const char *f, const JsonValue &v) { episode_.role = text(f, v); }
    void take_metadata(const char *f, const JsonValue &v);
    void take_importance(const char *f, const JsonValue &v);
    void take_occurred_at(const char *f, const JsonValue &v);
    void take_ttl(const char *f, const JsonValue &v);
    void take_embedding(const char *f, const JsonValue &v);
    void take_transcript(const char *, const JsonValue &v) { episode_.transcript = v.to_jsonb(); }
    void take_id(const char *f, const JsonValue &v);

    std::size_t index_;
    std::optional<std::string_view> user_id_;
    Episode episode_;
};

constexpr Element::Field Element::fields[] = {
    {"content", &Element::take_content},
    {"response", &Element::take_response},
    {"user_id", &Element::take_user_id},
    {"session_id", &Element::take_session_id},
    {"agent_id", &Element::take_agent_id},
    {"kind", &Element::take_kind},
    {"role", &Element::take_role},
    {"metadata", &Element::take_metadata},
    {"importance", &Element::take_importance},
    {"occurred_at", &Element::take_occurred_at},
    {"ttl", &Element::take_ttl},
    {"embedding", &Element::take_embedding},
    {"transcript", &Element::take_transcript},
    {"id", &Element::take_id},
};

Episode Element::read(const JsonValue &value) {
    const Place place = place_of(index_);
    if (!value.is_object())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an object, not %s",
                        place.data(), value.described());
    pg::JsonWalk walk(value);
    while (const auto member = walk.next_member())
        take_member(member->key, member->value);
    return pg::naming(place.data(), [this] {
        episode_.tenant = access::tenant(user_id_);
        check(episode_);
        return episode_;
    });
}

void Element::take_member(std::string_view name, const JsonValue &value) {
    for (const Field &field : fields)
        if (field.name == name) {
            if (!value.is_null()) // null is "not given", as in the function's arguments
                (this->*field.take)(field.name.data(), value);
            return;
        }
    const pg::Quoted unknown(name);
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "episodes[%zu] has an unknown key \"%.*s\"",
                    index_, unknown.length, unknown.text)
        .hint("Keys are the names of memory.remember's arguments; what is the application's own "
              "goes into metadata.");
}

void Element::wrong_type(const char *field, const char *wanted, const JsonValue &value) const {
    throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be %s, not %s",
                    place_of(index_, field).data(), wanted, value.described());
}

std::string_view Element::text(const char *field, const JsonValue &value) const {
    const std::optional<std::string_view> string = value.string();
    if (!string)
        wrong_type(field, "a string", value);
    return *string;
}

// A JSON string as `input` (a type's input function) reads it.
Datum Element::converted(const char *field, const JsonValue &value, PGFunction input) const {
    const std::string_view string = text(field, value);
    return pg::naming(place_of(index_, field).data(), [&] {
        return pg::call([&] {
            return DirectFunctionCall3(input,
                                       CStringGetDatum(pnstrdup(string.data(), string.size())),
                                       ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1));
        });
    });
}

void Element::take_metadata(const char *field, const JsonValue &value) {
    if (!value.is_object())
        wrong_type(field, "an object", value);
    episode_.metadata = value.to_jsonb();
}

void Element::take_importance(const char *field, const JsonValue &value) {
    if (!value.is_number())
        wrong_type(field, "a number", value);
    episode_.importance = pg::naming(place_of(index_, field).data(),
                                     [&] { return DatumGetFloat4(value.to_float4()); });
}

void Element::take_occurred_at(const char *field, const JsonValue &value) {
    episode_.occurred_at = converted(field, value, timestamptz_in);
}

void Element::take_ttl(const char *field, const JsonValue &value) {
    episode_.ttl = converted(field, value, interval_in);
}

void Element::take_id(const char *field, const JsonValue &value) {
    episode_.id = *DatumGetUUIDP(converted(field, value, uuid_in));
}

// [0.1, 0.2] as well as "[0.1,0.2]": a JSON array is written as pgvector writes a vector.
void Element::take_embedding(const char *field, const JsonValue &value) {
    if (!value.is_array() && !value.string())
        wrong_type(field, "an array of numbers", value);
    const char *written = value.is_array() ? value.to_text() : nullptr;
    const std::string_view string = written ? written : *value.string();
    const Oid type = vector_type();
    episode_.embedding = pg::naming(place_of(index_, field).data(), [&] {
        return pg::call([&] {
            Oid input;
            Oid parameter;
            getTypeInputInfo(type, &input, &parameter);
            return OidInputFunctionCall(input, pnstrdup(string.data(), string.size()), parameter,
                                        -1);
        });
    });
}

std::pmr::vector<Episode> read_all(const JsonValue &array, const Defaults &defaults,
                                   std::pmr::memory_resource *memory) {
    std::pmr::vector<Episode> episodes(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        episodes.push_back(Element(episodes.size(), defaults).read(*value));
    }
    return episodes;
}

void store_all(std::span<const Episode> episodes, pg::ResultSet &result) {
    const pg::Spi spi;
    pg::TemporaryContext per_episode("memory.remember_many");
    for (std::size_t i = 0; i < episodes.size(); ++i) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_episode.get());
        const pg_uuid_t id = pg::naming(place_of(i).data(), [&] { return store(episodes[i]); });
        result.add(pg::to_datum(id, per_episode.get()));
        per_episode.reset();
    }
}

} // namespace

MEMORY_FUNCTION(memory_remember_many) {
    pg::ResultSet result(arguments);
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "episodes must not be null");
    const JsonValue array = pg::json_root(arguments.datum(0));
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "episodes must be an array, not %s",
                        array.described());
    if (arguments.has(1)) // even when no element needs it
        access::tenant(arguments.text(1));
    setup::require_tables(setup::Need::to_write);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<Episode> episodes =
        read_all(array, {arguments.text(1), arguments.text(2)}, &memory);
    store_all(episodes, result);
    return Datum{0};
}

} // namespace memory::episodes
