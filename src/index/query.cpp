// The type memory.query: in, out, send, receive, and made from a text.
#include "index/query.h"

#include "pg/function.h"
#include "text/settings_sql.h"

extern "C" {
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
}

namespace memory::index {

namespace {

// In the byte of the kind, in this order: what follows it.
constexpr std::uint8_t dictionary_flag = 0x40;
constexpr std::uint8_t source_flag = 0x20;
// The dictionary is not one that the user has asked for.
constexpr std::uint8_t planned_flag = 0x10;
// Only a flag.
constexpr std::uint8_t descends_flag = 0x08;
constexpr std::uint8_t all_flags = dictionary_flag | source_flag | planned_flag | descends_flag;

// As a string, a bag of words is its text. These two beginnings say otherwise, so that what was
// written out is read back as it was: pg_dump and COPY depend on it.
constexpr std::string_view websearch_mark = "memory.websearch_query:";
constexpr std::string_view plain_mark = "memory.query:";

bool is_known(std::uint8_t kind) {
    return kind == static_cast<std::uint8_t>(QueryKind::plain) ||
           kind == static_cast<std::uint8_t>(QueryKind::websearch);
}

[[noreturn]] void throw_unknown() {
    throw pg::Error(ERRCODE_DATA_CORRUPTED, "a value of type memory.query of unknown kind");
}

template <class Part>
Part take(std::string_view &bytes) {
    Part part;
    if (bytes.size() < sizeof part)
        throw_unknown();
    std::memcpy(&part, bytes.data(), sizeof part);
    bytes.remove_prefix(sizeof part);
    return part;
}

template <class Part>
char *put(char *to, const Part &part) {
    std::memcpy(to, &part, sizeof part);
    return to + sizeof part;
}

Datum query_in(std::string_view string) {
    if (string.starts_with(websearch_mark))
        return make_query(QueryKind::websearch, string.substr(websearch_mark.size()));
    if (string.starts_with(plain_mark))
        string.remove_prefix(plain_mark.size());
    return make_query(QueryKind::plain, string);
}

std::string_view mark_of(const QueryView &query) {
    if (query.kind == QueryKind::websearch)
        return websearch_mark;
    const bool misleading =
        query.text.starts_with(websearch_mark) || query.text.starts_with(plain_mark);
    return misleading ? plain_mark : std::string_view();
}

Datum query_out(Datum query) {
    const QueryView view = query_view(query);
    const std::string_view mark = mark_of(view);
    return pg::call([=] {
        auto *string = static_cast<char *>(palloc(mark.size() + view.text.size() + 1));
        std::memcpy(string, mark.data(), mark.size());
        std::memcpy(string + mark.size(), view.text.data(), view.text.size());
        string[mark.size() + view.text.size()] = '\0';
        return CStringGetDatum(string);
    });
}

Datum query_send(Datum query) {
    const QueryView view = query_view(query);
    return pg::call([=] {
        StringInfoData message;
        pq_begintypsend(&message);
        pq_sendbyte(&message, static_cast<std::uint8_t>(view.kind));
        pq_sendtext(&message, view.text.data(), static_cast<int>(view.text.size()));
        return PointerGetDatum(pq_endtypsend(&message));
    });
}

Datum query_receive(StringInfo message) {
    const auto kind = pg::call([=] { return static_cast<std::uint8_t>(pq_getmsgbyte(message)); });
    if (!is_known(kind))
        throw pg::Error(ERRCODE_INVALID_BINARY_REPRESENTATION,
                        "a memory.query is of kind 0 or 1, not %d", kind)
            .hint("Send a byte 0 for memory.query or 1 for memory.websearch_query, then the text.");
    struct Received {
        char *bytes;
        int size;
    };
    const Received text = pg::call([=] {
        Received received{};
        received.bytes = pq_getmsgtext(message, message->len - message->cursor, &received.size);
        return received;
    });
    return make_query(static_cast<QueryKind>(kind),
                      {text.bytes, static_cast<std::size_t>(text.size)});
}

} // namespace

QueryView query_view(Datum query) {
    std::string_view bytes = pg::text_view(query);
    const auto first = take<std::uint8_t>(bytes);
    const auto kind = static_cast<std::uint8_t>(first & ~all_flags);
    if (!is_known(kind))
        throw_unknown();
    QueryView view{static_cast<QueryKind>(kind), {}};
    view.planned = (first & planned_flag) != 0;
    view.descends = (first & descends_flag) != 0;
    if ((first & dictionary_flag) != 0)
        view.dictionary = take<Oid>(bytes);
    if ((first & source_flag) != 0)
        view.source = take<Source>(bytes);
    view.text = bytes;
    return view;
}

Datum make_query(const QueryView &view) {
    return pg::call([&] {
        const bool has_dictionary = OidIsValid(view.dictionary);
        const bool has_source = view.source.is_known();
        const std::size_t size = VARHDRSZ + 1 + (has_dictionary ? sizeof view.dictionary : 0) +
                                 (has_source ? sizeof view.source : 0) + view.text.size();
        auto *query = static_cast<varlena *>(palloc(size));
        SET_VARSIZE(query, size);
        char *to = VARDATA(query);
        const int flags = (has_dictionary ? dictionary_flag : 0) | (has_source ? source_flag : 0) |
                          (view.planned ? planned_flag : 0) | (view.descends ? descends_flag : 0);
        to = put(to, static_cast<std::uint8_t>(static_cast<int>(view.kind) | flags));
        if (has_dictionary)
            to = put(to, view.dictionary);
        if (has_source)
            to = put(to, view.source);
        view.text.copy(to, view.text.size());
        return PointerGetDatum(query);
    });
}

Datum make_query(QueryKind kind, std::string_view text) { return make_query({kind, text}); }

MEMORY_FUNCTION(memory_query) {
    return make_query(QueryKind::plain, text::checked_query(*arguments.text(0)));
}

MEMORY_FUNCTION(memory_websearch_query) {
    return make_query(QueryKind::websearch, text::checked_query(*arguments.text(0)));
}

MEMORY_FUNCTION(memory_query_for_dictionary) {
    QueryView view = query_view(arguments.datum(0));
    view.dictionary = DatumGetObjectId(arguments.datum(1));
    return make_query(view);
}

MEMORY_FUNCTION(memory_query_for_source) {
    QueryView view = query_view(arguments.datum(0));
    view.source = {DatumGetInt64(arguments.datum(1)), DatumGetInt32(arguments.datum(2)),
                   DatumGetObjectId(arguments.datum(3))};
    view.descends = DatumGetBool(arguments.datum(4));
    return make_query(view);
}

MEMORY_FUNCTION(memory_query_in) { return query_in(DatumGetCString(arguments.datum(0))); }

MEMORY_FUNCTION(memory_query_out) { return query_out(arguments.datum(0)); }

MEMORY_FUNCTION(memory_query_send) { return query_send(arguments.datum(0)); }

MEMORY_FUNCTION(memory_query_recv) {
    return query_receive(reinterpret_cast<StringInfo>(DatumGetPointer(arguments.datum(0))));
}

} // namespace memory::index
