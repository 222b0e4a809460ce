// The type memory.query: in, out, send, receive, and made from a text.
#include "index/query.h"

#include "pg/function.h"

extern "C" {
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
}

namespace memory::index {

namespace {

constexpr std::size_t header = VARHDRSZ + 1;
constexpr char dictionary_flag = 0x40;
constexpr std::size_t marked_header = 1 + sizeof(Oid);

// As a string, a bag of words is its text. These two beginnings say otherwise, so that what was
// written out is read back as it was: pg_dump and COPY depend on it.
constexpr std::string_view websearch_mark = "memory.websearch_query:";
constexpr std::string_view plain_mark = "memory.query:";

bool is_known(char kind) {
    return kind == static_cast<char>(QueryKind::plain) ||
           kind == static_cast<char>(QueryKind::websearch);
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
    const auto kind = pg::call([=] { return static_cast<char>(pq_getmsgbyte(message)); });
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
    const bool marked = !bytes.empty() && (bytes[0] & dictionary_flag) != 0;
    const char kind = bytes.empty() ? '\x7f' : static_cast<char>(bytes[0] & ~dictionary_flag);
    const std::size_t size = marked ? marked_header : 1;
    if (!is_known(kind) || bytes.size() < size)
        throw pg::Error(ERRCODE_DATA_CORRUPTED, "a value of type memory.query of unknown kind");
    QueryView view{static_cast<QueryKind>(kind), bytes.substr(size)};
    if (marked)
        std::memcpy(&view.dictionary, bytes.data() + 1, sizeof(Oid));
    return view;
}

Datum mark_query(Datum query, Oid dictionary) {
    const QueryView view = query_view(query);
    return pg::call([=] {
        const std::size_t size = VARHDRSZ + marked_header + view.text.size();
        auto *marked = static_cast<varlena *>(palloc(size));
        SET_VARSIZE(marked, size);
        char *bytes = VARDATA(marked);
        bytes[0] = static_cast<char>(static_cast<char>(view.kind) | dictionary_flag);
        std::memcpy(bytes + 1, &dictionary, sizeof dictionary);
        std::memcpy(bytes + marked_header, view.text.data(), view.text.size());
        return PointerGetDatum(marked);
    });
}

Datum make_query(QueryKind kind, std::string_view text) {
    return pg::call([=] {
        auto *query = static_cast<varlena *>(palloc(header + text.size()));
        SET_VARSIZE(query, header + text.size());
        *VARDATA(query) = static_cast<char>(kind);
        std::memcpy(VARDATA(query) + 1, text.data(), text.size());
        return PointerGetDatum(query);
    });
}

MEMORY_FUNCTION(memory_query) { return make_query(QueryKind::plain, *arguments.text(0)); }

MEMORY_FUNCTION(memory_websearch_query) {
    return make_query(QueryKind::websearch, *arguments.text(0));
}

MEMORY_FUNCTION(memory_query_for_dictionary) {
    return mark_query(arguments.datum(0), DatumGetObjectId(arguments.datum(1)));
}

MEMORY_FUNCTION(memory_query_in) { return query_in(DatumGetCString(arguments.datum(0))); }

MEMORY_FUNCTION(memory_query_out) { return query_out(arguments.datum(0)); }

MEMORY_FUNCTION(memory_query_send) { return query_send(arguments.datum(0)); }

MEMORY_FUNCTION(memory_query_recv) {
    return query_receive(reinterpret_cast<StringInfo>(DatumGetPointer(arguments.datum(0))));
}

} // namespace memory::index
