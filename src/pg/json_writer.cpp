// Each member is one call of PostgreSQL's jsonb builder.
#include "pg/json_writer.h"

#include <charconv>
#include <cmath>

extern "C" {
#include "utils/json.h"
#include "utils/jsonb.h"
}

namespace memory::pg {

void JsonWriter::put(char character) {
    call([=, this] { appendStringInfoChar(text_, character); });
}

void JsonWriter::string(std::string_view text) {
    call([=, this] { escape_json(text_, pnstrdup(text.data(), text.size())); });
}

void JsonWriter::name(const char *name) {
    if (!std::exchange(first_, false))
        put(',');
    if (name == nullptr)
        return;
    string(name);
    put(':');
}

void JsonWriter::begin(const char *name, char bracket) {
    this->name(name);
    put(bracket);
    first_ = true;
}

void JsonWriter::end(char bracket) {
    put(bracket);
    first_ = false;
}

void JsonWriter::add(const char *name, std::string_view text) {
    this->name(name);
    string(text);
}

// JSON knows no infinity.
void JsonWriter::add(const char *name, double number) {
    if (!std::isfinite(number))
        return add_null(name);
    this->name(name);
    std::array<char, 32> digits; // the fewest that are read back as the same number
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    call([&, this] {
        appendBinaryStringInfo(text_, digits.data(), static_cast<int>(end - digits.data()));
    });
}

void JsonWriter::add(const char *name, std::int64_t number) {
    this->name(name);
    call([=, this] { appendStringInfo(text_, INT64_FORMAT, number); });
}

void JsonWriter::add(const char *name, Document document) {
    this->name(name);
    call([=, this] {
        Jsonb *jsonb = DatumGetJsonbP(document.jsonb);
        JsonbToCString(text_, &jsonb->root, VARSIZE(jsonb));
    });
}

void JsonWriter::add_null(const char *name) {
    this->name(name);
    call([this] { appendStringInfoString(text_, "null"); });
}

void JsonWriter::add_element(std::string_view text) {
    name(nullptr);
    string(text);
}

Datum JsonWriter::finish() {
    put('}');
    return call([this] { return DirectFunctionCall1(jsonb_in, CStringGetDatum(text_->data)); });
}

} // namespace memory::pg
