// Reads what jsonb_out() writes, and leaves all else, right or wrong, to jsonb_in(): unusual
// blanks, \u, numbers that are none.
//
// All of it runs inside one call(): no object here has a destructor.
#include "pg/json_reader.h"

#include <charconv>

extern "C" {
#include "miscadmin.h"
#include "utils/fmgrprotos.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"
}

namespace memory::pg {

namespace {

// Where reading is. `at` == `end` is the end of the text, behind which nothing may be read.
struct Reader {
    const char *at;
    const char *end;
    JsonbParseState *containers; // what is open; null: nothing

    bool sees(char wanted) const { return at < end && *at == wanted; }
    bool take(char wanted) {
        const bool there = sees(wanted);
        at += there ? 1 : 0;
        return there;
    }
    bool take(std::string_view wanted) {
        if (!std::string_view(at, static_cast<std::size_t>(end - at)).starts_with(wanted))
            return false;
        at += wanted.size();
        return true;
    }
    bool in_object() const { return containers->contVal.type == jbvObject; }
};

// As many characters from `at` on as stand for themselves in a string.
std::size_t plain_characters(const char *at, const char *end) {
    const char *behind = at;
    for (; behind < end && *behind != '"' && *behind != '\\'; ++behind) {
        if (static_cast<unsigned char>(*behind) < ' ')
            break;
        if ((behind - at) % 65536 == 65535)
            CHECK_FOR_INTERRUPTS();
    }
    return static_cast<std::size_t>(behind - at);
}

// What is behind a backslash; 0 when it is none of these.
char escaped(char letter) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    const std::size_t place = letters.find(letter);
    return place == letters.npos ? '\0' : meant[place];
}

// Puts what the characters in front of the next quote mean into `text`: a copy, as there are
// escapes.
bool read_escaped(Reader &reader, std::string_view &text) {
    const char *const begin = reader.at;
    const char *quote = begin;
    for (; quote < reader.end && *quote != '"'; quote += plain_characters(quote, reader.end))
        if (*quote == '\\')
            quote += 2;
        else if (static_cast<unsigned char>(*quote) < ' ')
            return false;
    if (quote >= reader.end)
        return false;
    auto *copy = static_cast<char *>(palloc(static_cast<Size>(quote - begin)));
    std::size_t size = 0;
    while (reader.at < quote) {
        const std::size_t plain = plain_characters(reader.at, quote);
        std::memcpy(copy + size, reader.at, plain);
        size += plain;
        reader.at += plain;
        if (reader.at == quote)
            break;
        copy[size++] = escaped(reader.at[1]);
        reader.at += 2;
        if (copy[size - 1] == '\0')
            return false;
    }
    text = {copy, size};
    return true;
}

bool read_string(Reader &reader, JsonbValue &value) {
    if (!reader.take('"'))
        return false;
    const char *const begin = reader.at;
    reader.at += plain_characters(begin, reader.end);
    std::string_view text(begin, static_cast<std::size_t>(reader.at - begin));
    if (reader.sees('\\')) {
        reader.at = begin;
        if (!read_escaped(reader, text))
            return false;
    }
    if (!reader.take('"') || text.size() > JENTRY_OFFLENMASK)
        return false;
    value.type = jbvString;
    value.val.string.val = const_cast<char *>(text.data());
    value.val.string.len = static_cast<int>(text.size());
    return true;
}

bool read_digits(Reader &reader) {
    const char *begin = reader.at;
    while (reader.at < reader.end && *reader.at >= '0' && *reader.at <= '9')
        ++reader.at;
    return reader.at > begin;
}

// What the text is as a number; it is one.
Numeric number_of(std::string_view text, bool whole) {
    constexpr std::size_t digits_of_int64 = 18;
    std::int64_t number = 0;
    if (whole && text.size() <= digits_of_int64) {
        std::from_chars(text.data(), text.data() + text.size(), number);
        return int64_to_numeric(number);
    }
    const char *copy = pnstrdup(text.data(), text.size());
    return DatumGetNumeric(DirectFunctionCall3(numeric_in, CStringGetDatum(copy),
                                               ObjectIdGetDatum(InvalidOid), Int32GetDatum(-1)));
}

bool read_number(Reader &reader, JsonbValue &value) {
    const char *const begin = reader.at;
    reader.take('-');
    if (!reader.take('0') && !read_digits(reader))
        return false;
    const bool whole = !reader.take('.');
    if (!whole && !read_digits(reader))
        return false;
    if (reader.sees('e') || reader.sees('E'))
        return false; // jsonb_out() writes none
    value.type = jbvNumeric;
    value.val.numeric = number_of({begin, static_cast<std::size_t>(reader.at - begin)}, whole);
    return true;
}

bool read_scalar(Reader &reader, JsonbValue &value) {
    if (reader.sees('"'))
        return read_string(reader, value);
    if (reader.sees('t') || reader.sees('f')) {
        value.type = jbvBool;
        value.val.boolean = reader.sees('t');
        return reader.take(value.val.boolean ? "true" : "false");
    }
    if (reader.sees('n')) {
        value.type = jbvNull;
        return reader.take("null");
    }
    return read_number(reader, value);
}

bool read_key(Reader &reader) {
    JsonbValue key;
    if (!read_string(reader, key) || !reader.take(": "))
        return false;
    pushJsonbValue(&reader.containers, WJB_KEY, &key);
    return true;
}

bool read_member_or_element(Reader &reader) {
    JsonbValue value;
    if (reader.containers == nullptr || !read_scalar(reader, value))
        return false;
    pushJsonbValue(&reader.containers, reader.in_object() ? WJB_VALUE : WJB_ELEM, &value);
    return true;
}

// An object or array with all that it holds; null: leave it to jsonb_in().
JsonbValue *read(Reader &reader) {
    for (;;) {
        CHECK_FOR_INTERRUPTS();
        if (reader.take('{')) {
            pushJsonbValue(&reader.containers, WJB_BEGIN_OBJECT, nullptr);
            if (!reader.sees('}')) {
                if (!read_key(reader))
                    return nullptr;
                continue;
            }
        } else if (reader.take('[')) {
            pushJsonbValue(&reader.containers, WJB_BEGIN_ARRAY, nullptr);
            if (!reader.sees(']'))
                continue;
        } else if (!read_member_or_element(reader)) {
            return nullptr;
        }
        while (reader.take(reader.in_object() ? '}' : ']')) {
            JsonbValue *closed = pushJsonbValue(
                &reader.containers, reader.in_object() ? WJB_END_OBJECT : WJB_END_ARRAY, nullptr);
            if (reader.containers == nullptr)
                return reader.at == reader.end ? closed : nullptr;
        }
        if (!reader.take(", ") || (reader.in_object() && !read_key(reader)))
            return nullptr;
    }
}

} // namespace

namespace {

// For what is thrown away when the jsonb is made. It stays with the backend, up to a size, so that
// the system need not hand it out page by page for each text. An error may have left something in
// it.
MemoryContext empty_scratch() {
    constexpr Size kept = Size{4} << 20;
    static constinit MemoryContext context = nullptr;
    if (context == nullptr)
        context = AllocSetContextCreateInternal(TopMemoryContext, "memory: JSON that is read", kept,
                                                kept, 2 * kept);
    MemoryContextReset(context);
    return context;
}

} // namespace

Document jsonb_of(std::string_view text) {
    return {call([text] {
        Reader reader{text.data(), text.data() + text.size(), nullptr};
        const MemoryContext before = MemoryContextSwitchTo(empty_scratch());
        JsonbValue *value = read(reader);
        MemoryContextSwitchTo(before);
        const Datum jsonb =
            value != nullptr ? JsonbPGetDatum(JsonbValueToJsonb(value))
                             : DirectFunctionCall1(
                                   jsonb_in, CStringGetDatum(pnstrdup(text.data(), text.size())));
        empty_scratch(); // gives back what is beyond that size
        return jsonb;
    })};
}

} // namespace memory::pg
