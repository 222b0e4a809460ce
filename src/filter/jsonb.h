// jsonb for the language of filters, and its mistakes as errors.
#pragma once

#include "filter/language/parser.h"
#include "pg/json.h"

namespace memory::filter {

class JsonbReader final : public language::JsonReader {
  public:
    void read_members(const language::Json &object,
                      std::pmr::vector<language::Member> &to) override;
    void read_elements(const language::Json &array, std::pmr::vector<language::Json> &to) override;
    void write_number(const language::Json &number, std::pmr::string &to) override;
};

// The same value in both forms. Views the jsonb that it is in.
language::Json json_of(const pg::JsonValue &value);
JsonbValue jsonb_of(const language::Json &value);

// The condition that `jsonb` is; it must be an object. A mistake in it is an error that names
// `filter`. Views the jsonb.
language::Condition parsed(const pg::JsonValue &jsonb, JsonbReader &reader,
                           std::pmr::memory_resource *memory);

} // namespace memory::filter
