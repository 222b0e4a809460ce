// Making a jsonb, member by member.
#pragma once

#include "pg/datum.h"

extern "C" {
#include "lib/stringinfo.h"
}

namespace memory::pg {

// Writes JSON in the current memory context. Members go to the object or array begun last; those of
// an array have no name (null).
class JsonWriter {
  public:
    JsonWriter() : text_(call([] { return makeStringInfo(); })) { put('{'); }

    void begin_object(const char *name) { begin(name, '{'); }
    void end_object() { end('}'); }
    void begin_array(const char *name) { begin(name, '['); }
    void end_array() { end(']'); }
    // An object in an array.
    void begin_element() { begin(nullptr, '{'); }

    void add(const char *name, std::string_view text);
    void add(const char *name, const char *text) { add(name, std::string_view(text)); }
    void add(const char *name, double number);
    void add(const char *name, std::int64_t number);
    void add(const char *name, std::same_as<bool> auto truth) {
        this->name(name);
        call([=, this] { appendStringInfoString(text_, truth ? "true" : "false"); });
    }
    void add(const char *name, Document document);
    void add_null(const char *name);
    // A string in an array.
    void add_element(std::string_view text);

    // Ends the outermost object.
    Datum finish();

  private:
    void put(char character);
    void name(const char *name);
    void string(std::string_view text);
    void begin(const char *name, char bracket);
    void end(char bracket);

    StringInfo text_;
    bool first_ = true; // in what was begun last
};

} // namespace memory::pg
