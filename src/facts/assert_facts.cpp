// memory.assert_facts: a JSON array of facts, all or nothing.
#include "facts/assert.h"
#include "facts/tables.h"
#include "pg/attempt.h"
#include "pg/error.h"
#include "pg/json_fields.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "pg/vector.h"
#include "schema/require.h"

namespace memory::facts {

namespace {

using pg::JsonValue;

// One element of the array while it is read.
class Element {
  public:
    Element(std::size_t index, std::optional<std::string_view> user_id)
        : fields_("facts", index), user_id_(user_id) {}

    Fact read(const JsonValue &value);

  private:
    struct Field {
        std::string_view name;
        void (Element::*take)(const char *field, const JsonValue &value);
    };
    static const Field known[];

    void take_member(std::string_view name, const JsonValue &value);

    void take_subject(const char *f, const JsonValue &v) { subject_ = fields_.text(f, v); }
    void take_predicate(const char *f, const JsonValue &v) { predicate_ = fields_.text(f, v); }
    void take_object(const char *f, const JsonValue &v) { object_ = fields_.text(f, v); }
    void take_user_id(const char *f, const JsonValue &v) { user_id_ = fields_.text(f, v); }
    void take_from(const char *f, const JsonValue &v) { from_ = fields_.timestamp(f, v); }
    void take_until(const char *f, const JsonValue &v) {
        fact_.until = instant(fields_.timestamp(f, v));
    }
    void take_confidence(const char *f, const JsonValue &v) {
        fact_.confidence = fields_.real(f, v);
    }
    void take_sources(const char *f, const JsonValue &v) {
        fact_.sources = uuids(f, fields_.uuid_array(f, v));
    }
    void take_metadata(const char *f, const JsonValue &v) { fact_.metadata = fields_.object(f, v); }
    void take_embedding(const char *f, const JsonValue &v) {
        fact_.embedding = fields_.vector(f, v, pg::vector_type());
    }
    void take_id(const char *f, const JsonValue &v) { fact_.id = fields_.uuid(f, v); }

    pg::JsonFields fields_;
    std::optional<std::string_view> user_id_;
    std::optional<std::string_view> subject_;
    std::optional<std::string_view> predicate_;
    std::optional<std::string_view> object_;
    std::optional<Datum> from_;
    Fact fact_{};
};

constexpr Element::Field Element::known[] = {
    {"subject", &Element::take_subject},
    {"predicate", &Element::take_predicate},
    {"object", &Element::take_object},
    {"user_id", &Element::take_user_id},
    {"valid_from", &Element::take_from},
    {"valid_until", &Element::take_until},
    {"confidence", &Element::take_confidence},
    {"sources", &Element::take_sources},
    {"metadata", &Element::take_metadata},
    {"embedding", &Element::take_embedding},
    {"id", &Element::take_id},
};

Fact Element::read(const JsonValue &value) {
    fields_.check_is_object(value);
    pg::JsonWalk walk(value);
    while (const auto member = walk.next_member())
        take_member(member->key, member->value);
    return pg::naming(fields_.place().data(), [this] {
        fact_.tenant = access::tenant(user_id_);
        fact_.subject = subject_name("subject", subject_);
        fact_.predicate = predicate_name("predicate", predicate_);
        fact_.object = object_name("object", object_);
        fact_.from = instant_or_now(from_);
        return fact_;
    });
}

void Element::take_member(std::string_view name, const JsonValue &value) {
    for (const Field &field : known)
        if (field.name == name) {
            if (!value.is_null()) // null is "not given", as in the function's arguments
                (this->*field.take)(field.name.data(), value);
            return;
        }
    fields_.unknown_key(name, "Keys are the names of memory.assert_fact's arguments; what is the "
                              "application's own goes into metadata.");
}

std::pmr::vector<Fact> read_all(const JsonValue &array, std::optional<std::string_view> user_id,
                                std::pmr::memory_resource *memory) {
    std::pmr::vector<Fact> facts(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        facts.push_back(Element(facts.size(), user_id).read(*value));
    }
    return facts;
}

void check_all(std::span<const Fact> facts) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
        pg::check_for_interrupts();
        pg::naming(pg::JsonFields("facts", i).place().data(), [&] { check(facts[i]); });
    }
}

} // namespace

MEMORY_FUNCTION(memory_assert_facts) {
    pg::ResultSet result(arguments);
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "facts must not be null");
    const JsonValue array = pg::json_root(arguments.datum(0));
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "facts must be an array, not %s",
                        array.described());
    if (arguments.has(1)) // even when no element needs it
        access::tenant(arguments.text(1));
    schema::require(schema::Need::to_write, room);
    pg::ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Fact> facts = read_all(array, arguments.text(1), &memory);
    const pg::Spi spi;
    check_all(facts);
    for (const std::optional<pg_uuid_t> &id : assert_all(facts, &memory))
        result.add(id ? std::optional(UUIDPGetDatum(&*id)) : std::nullopt);
    return Datum{0};
}

} // namespace memory::facts
