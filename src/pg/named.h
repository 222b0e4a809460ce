// Values by name, out of the arguments of a call (function_call.h) or the fields of a JSON element
// (json_element.h): what is written to read the one reads the other.
#pragma once

#include "pg/given.h"
#include "pg/signature.h"
#include "pg/sql.h"
#include "pg/vector.h"

namespace memory::pg {

// `Source` has values by their fields. The field of a name is found in the signature when this is
// compiled: a name that is not there, or is of another type, does not compile.
template <const Signature &signature, class Source>
class Named : public Source {
  public:
    using Source::Source;

    template <SqlText type>
    struct Name : Field {
        // NOLINTNEXTLINE(google-explicit-constructor): a literal is one
        consteval Name(const char *written)
            : Field{signature.field(written, {type.text, sizeof type.text - 1})} {}
    };

    Given<std::string_view> text(Name<"text"> name) const { return this->text_at(name); }
    Given<pg_uuid_t> uuid(Name<"uuid"> name) const { return this->uuid_at(name); }
    Given<std::int64_t> bigint(Name<"bigint"> name) const { return this->bigint_at(name); }
    Given<double> real(Name<"float8"> name) const { return this->real_at(name); }
    Given<bool> boolean(Name<"boolean"> name) const { return this->boolean_at(name); }
    Given<Oid> role(Name<"regrole"> name) const { return this->role_at(name); }
    Given<Instant> instant(Name<"timestamptz"> name) const { return this->instant_at(name); }
    Given<Interval> interval(Name<"interval"> name) const { return this->interval_at(name); }
    Given<Document> json(Name<"jsonb"> name) const { return this->json_at(name); }
    Given<const Vector *> vector(Name<"vector"> name) const { return this->vector_at(name); }
    // In the current memory context; elements that are NULL, and more than one dimension of the
    // array, are an error.
    Given<std::span<const Vector *const>> vectors(Name<"vector[]"> name) const {
        return this->vectors_at(name);
    }
    // Elements that are NULL are an error. In the current memory context.
    Given<std::span<const std::string_view>> texts(Name<"text[]"> name) const {
        return this->texts_at(name);
    }
    // The same; more than one dimension is an error, too.
    Given<std::span<const std::string_view>> list(Name<"text[]"> name) const {
        return this->list_at(name);
    }
    // Elements that are NULL are left out.
    Given<std::span<const std::string_view>> texts_there(Name<"text[]"> name) const {
        return this->texts_there_at(name);
    }
    Given<std::span<const std::int64_t>> bigints(Name<"bigint[]"> name) const {
        return this->bigints_at(name);
    }
    // Elements may be NULL.
    Given<std::span<const std::optional<Bytes>>> byteas(Name<"bytea[]"> name) const {
        return this->byteas_at(name);
    }
    // Elements that are NULL are an error.
    Given<std::span<const Document>> jsons(Name<"jsonb[]"> name) const {
        return this->jsons_at(name);
    }
    Given<std::span<const pg_uuid_t>> uuids(Name<"uuid[]"> name) const {
        return this->uuids_at(name);
    }
};

} // namespace memory::pg
