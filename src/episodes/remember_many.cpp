// memory.remember_many: a JSON array of episodes, all or nothing.
//
// Every element is read and checked before the first is written, and what is wrong with one is told
// with its place: "episodes[3].importance must be a number, not a string".
#include "access/scope.h"
#include "episodes/episode.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/json_fields.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "pg/vector.h"
#include "setup/schema.h"

namespace memory::episodes {

namespace {

using pg::JsonValue;

// Scope for elements that name none.
struct Defaults {
    std::optional<std::string_view> user_id;
    std::optional<std::string_view> session_id;
};

// One element of the array while it is read.
class Element {
  public:
    Element(std::size_t index, const Defaults &defaults) : fields_("episodes", index) {
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
    static const Field known[];

    void take_member(std::string_view name, const JsonValue &value);

    void take_content(const char *f, const JsonValue &v) { episode_.content = fields_.text(f, v); }
    void take_response(const char *f, const JsonValue &v) {
        episode_.response = fields_.text(f, v);
    }
    void take_user_id(const char *f, const JsonValue &v) { user_id_ = fields_.text(f, v); }
    void take_session_id(const char *f, const JsonValue &v) {
        episode_.session_id = fields_.text(f, v);
    }
    void take_agent_id(const char *f, const JsonValue &v) {
        episode_.agent_id = fields_.text(f, v);
    }
    void take_kind(const char *f, const JsonValue &v) { episode_.kind = fields_.text(f, v); }
    void take_role(const char *f, const JsonValue &v) { episode_.role = fields_.text(f, v); }
    void take_metadata(const char *f, const JsonValue &v) {
        episode_.metadata = fields_.object(f, v);
    }
    void take_importance(const char *f, const JsonValue &v) {
        episode_.importance = fields_.real(f, v);
    }
    void take_occurred_at(const char *f, const JsonValue &v) {
        episode_.occurred_at = fields_.timestamp(f, v);
    }
    void take_ttl(const char *f, const JsonValue &v) { episode_.ttl = fields_.interval(f, v); }
    void take_embedding(const char *f, const JsonValue &v) {
        episode_.embedding = fields_.vector(f, v, pg::vector_type());
    }
    void take_transcript(const char *, const JsonValue &v) { episode_.transcript = v.to_jsonb(); }
    void take_id(const char *f, const JsonValue &v) { episode_.id = fields_.uuid(f, v); }

    pg::JsonFields fields_;
    std::optional<std::string_view> user_id_;
    Episode episode_;
};

constexpr Element::Field Element::known[] = {
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
    fields_.check_is_object(value);
    pg::JsonWalk walk(value);
    while (const auto member = walk.next_member())
        take_member(member->key, member->value);
    return pg::naming(fields_.place().data(), [this] {
        episode_.tenant = access::tenant(user_id_);
        check(episode_);
        return episode_;
    });
}

void Element::take_member(std::string_view name, const JsonValue &value) {
    for (const Field &field : known)
        if (field.name == name) {
            if (!value.is_null()) // null is "not given", as in the function's arguments
                (this->*field.take)(field.name.data(), value);
            return;
        }
    fields_.unknown_key(name, "Keys are the names of memory.remember's arguments; what is the "
                              "application's own goes into metadata.");
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
        const pg_uuid_t id = pg::naming(pg::JsonFields("episodes", i).place().data(),
                                        [&] { return store(episodes[i]); });
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
