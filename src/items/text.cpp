// Texts out of JSON, and the expression of index memory.items_by_text.
#include "items/text.h"

#include "pg/function.h"

extern "C" {
#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/jsonb.h"
}

namespace memory::items {

namespace {

// Plain: runs inside call().
void append_line(StringInfo text, const char *line, int size) {
    if (text->len > 0)
        appendStringInfoChar(text, '\n');
    appendBinaryStringInfo(text, line, size);
}

// Plain: runs inside call().
void append_strings(StringInfo text, Datum jsonb) {
    JsonbIterator *iterator = JsonbIteratorInit(&DatumGetJsonbP(jsonb)->root);
    JsonbValue value;
    for (;;) {
        const JsonbIteratorToken token = JsonbIteratorNext(&iterator, &value, false);
        if (token == WJB_DONE)
            return;
        if ((token == WJB_VALUE || token == WJB_ELEM) && value.type == jbvString)
            append_line(text, value.val.string.val, value.val.string.len);
        CHECK_FOR_INTERRUPTS();
    }
}

std::string_view view_of(StringInfo text) {
    return {text->data, static_cast<std::size_t>(text->len)};
}

std::string_view joined(std::span<const std::optional<std::string_view>> texts) {
    StringInfo whole = pg::call([] { return makeStringInfo(); });
    pg::call([&] {
        for (const std::optional<std::string_view> &text : texts)
            if (text)
                append_line(whole, text->data(), static_cast<int>(text->size()));
    });
    return view_of(whole);
}

} // namespace

std::string_view strings_of(pg::Document value) {
    return view_of(pg::call([value] {
        StringInfo text = makeStringInfo();
        append_strings(text, value.jsonb);
        return text;
    }));
}

MEMORY_FUNCTION(memory_item_text) {
    std::string_view text;
    if (arguments.has(1))
        text = joined(Texts::read(arguments.datum(1)));
    else if (arguments.has(0))
        text = strings_of({arguments.datum(0)});
    return text.empty() ? arguments.null_result() : pg::to_datum(text);
}

} // namespace memory::items
