// jsonb for pure code: read in place, through json.h.
#pragma once

#include "pg/json.h"
#include "json/json.h"

namespace memory::json {

class JsonbReader final : public Reader {
  public:
    std::optional<Value> find(const Value &object, std::string_view key) override;
    void read_members(const Value &object, std::pmr::vector<Member> &to) override;
    void read_elements(const Value &array, std::pmr::vector<Value> &to) override;
    void write_number(const Value &number, std::pmr::string &to) override;
};

// The same value in both forms. Views the jsonb that it is in.
Value value_of(const pg::JsonValue &value);
JsonbValue jsonb_of(const Value &value);

} // namespace memory::json
