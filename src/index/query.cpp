// The type memory.query: in, out, send, receive, and made from a text.
#include "index/query.h"

#include "pg/function.h"
#include "pg/given.h"
#include "text/settings_sql.h"

#include <charconv>

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
// The text is behind a floor.
constexpr std::uint8_t floor_flag = 0x04;
constexpr std::uint8_t all_flags =
    dictionary_flag | source_flag | planned_flag | descends_flag | floor_flag;
// On the wire, instead of a kind: a plain query with a floor.
constexpr std::uint8_t with_floor_on_the_wire = 2;

// As a string, a bag of words is its text. These beginnings say otherwise, so that what was
// written out is read back as it was: pg_dump and COPY depend on it. One with a floor is
// `memory.query(0.25):` and its text.
constexpr std::string_view websearch_mark = "memory.websearch_query:";
constexpr std::string_view plain_mark = "memory.query:";
constexpr std::string_view floor_mark = "memory.query(";
constexpr std::string_view floor_end = "):";

bool is_floor(double number) { return number > 0 && number <= 1; }

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

// The query whose string goes on so behind floor_mark; none that is written out does otherwise.
std::optional<QueryView> with_floor(std::string_view string) {
    QueryView query{QueryKind::plain, {}};
    const char *const end = string.data() + string.size();
    const auto [digits_end, error] = std::from_chars(string.data(), end, query.min_relevance);
    string.remove_prefix(static_cast<std::size_t>(digits_end - string.data()));
    if (error != std::errc() || !is_floor(query.min_relevance) || !string.starts_with(floor_end))
        return std::nullopt;
    query.text = string.substr(floor_end.size());
    return query;
}

Datum query_in(std::string_view string) {
    if (string.starts_with(websearch_mark))
        return make_query(QueryKind::websearch, string.substr(websearch_mark.size()));
    if (string.starts_with(floor_mark))
        if (const std::optional<QueryView> query = with_floor(string.substr(floor_mark.size())))
            return make_query(*query);
    if (string.starts_with(plain_mark))
        string.remove_prefix(plain_mark.size());
    return make_query(QueryKind::plain, string);
}

// What stands before the text, where the text alone would be another query.
class Mark {
  public:
    explicit Mark(const QueryView &query) {
        if (query.kind == QueryKind::websearch)
            add(websearch_mark);
        else if (query.min_relevance > 0)
            add_floor(query.min_relevance);
        else if (is_marked(query.text))
            add(plain_mark);
    }

    std::string_view bytes() const { return {bytes_.data(), size_}; }

  private:
    static bool is_marked(std::string_view text) {
        return text.starts_with(websearch_mark) || text.starts_with(plain_mark) ||
               text.starts_with(floor_mark);
    }
    void add(std::string_view part) {
        size_ += part.copy(bytes_.data() + size_, bytes_.size() - size_);
    }
    void add_floor(double floor) {
        add(floor_mark);
        char *const end = bytes_.data() + bytes_.size();
        size_ = static_cast<std::size_t>(std::to_chars(bytes_.data() + size_, end, floor).ptr -
                                         bytes_.data());
        add(floor_end);
    }

    std::array<char, 64> bytes_; // enough for the shortest digits of any number
    std::size_t size_ = 0;
};

Datum query_out(Datum query) {
    const QueryView view = query_view(query);
    const Mark marked(view);
    const std::string_view mark = marked.bytes();
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
        if (view.min_relevance > 0) {
            pq_sendbyte(&message, with_floor_on_the_wire);
            pq_sendfloat8(&message, view.min_relevance);
        } else {
            pq_sendbyte(&message, static_cast<std::uint8_t>(view.kind));
        }
        pq_sendtext(&message, view.text.data(), static_cast<int>(view.text.size()));
        return PointerGetDatum(pq_endtypsend(&message));
    });
}

// The floor of a query of that kind, which follows it.
double receive_floor(std::uint8_t kind, StringInfo message) {
    if (kind != with_floor_on_the_wire)
        return 0;
    const double floor = pg::call([=] { return pq_getmsgfloat8(message); });
    if (!is_floor(floor))
        throw pg::Error(ERRCODE_INVALID_BINARY_REPRESENTATION,
                        "the min_relevance of a memory.query is above 0 and at most 1, not %g",
                        floor);
    return floor;
}

Datum query_receive(StringInfo message) {
    const auto kind = pg::call([=] { return static_cast<std::uint8_t>(pq_getmsgbyte(message)); });
    if (!is_known(kind) && kind != with_floor_on_the_wire)
        throw pg::Error(ERRCODE_INVALID_BINARY_REPRESENTATION,
                        "a memory.query is of kind 0, 1 or 2, not %d", kind)
            .hint("Send a byte 0 for memory.query or 1 for memory.websearch_query, then the text; "
                  "or 2, the min_relevance as a float8, and the text.");
    QueryView query{
        kind == with_floor_on_the_wire ? QueryKind::plain : static_cast<QueryKind>(kind), {}};
    query.min_relevance = receive_floor(kind, message);
    struct Received {
        char *bytes;
        int size;
    };
    const Received text = pg::call([=] {
        Received received{};
        received.bytes = pq_getmsgtext(message, message->len - message->cursor, &received.size);
        return received;
    });
    query.text = {text.bytes, static_cast<std::size_t>(text.size)};
    return make_query(query);
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
    if ((first & floor_flag) != 0)
        view.min_relevance = take<double>(bytes);
    view.text = bytes;
    return view;
}

Datum make_query(const QueryView &view) {
    return pg::call([&] {
        const bool has_dictionary = OidIsValid(view.dictionary);
        const bool has_source = view.source.is_known();
        const bool has_floor = view.min_relevance > 0;
        const std::size_t size = VARHDRSZ + 1 + (has_dictionary ? sizeof view.dictionary : 0) +
                                 (has_source ? sizeof view.source : 0) +
                                 (has_floor ? sizeof view.min_relevance : 0) + view.text.size();
        auto *query = static_cast<varlena *>(palloc(size));
        SET_VARSIZE(query, size);
        char *to = VARDATA(query);
        const int flags = (has_dictionary ? dictionary_flag : 0) | (has_source ? source_flag : 0) |
                          (view.planned ? planned_flag : 0) | (view.descends ? descends_flag : 0) |
                          (has_floor ? floor_flag : 0);
        to = put(to, static_cast<std::uint8_t>(static_cast<int>(view.kind) | flags));
        if (has_dictionary)
            to = put(to, view.dictionary);
        if (has_source)
            to = put(to, view.source);
        if (has_floor)
            to = put(to, view.min_relevance);
        view.text.copy(to, view.text.size());
        return PointerGetDatum(query);
    });
}

Datum make_query(QueryKind kind, std::string_view text) { return make_query({kind, text}); }

void refuse_floor(const QueryView &query) {
    if (query.min_relevance > 0)
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "a query with min_relevance orders rows, and is no condition")
            .hint("ORDER BY text <@> memory.query(words, min_relevance): the rows end there. "
                  "text @@@ memory.query(words) is the condition.");
}

MEMORY_FUNCTION(memory_query) {
    const auto floor =
        pg::Given<double>({"min_relevance"}, arguments.has(1)
                                                 ? std::optional(DatumGetFloat8(arguments.datum(1)))
                                                 : std::nullopt)
            .between(0, 1);
    if (!arguments.has(0))
        return arguments.null_result();
    QueryView query{QueryKind::plain, text::checked_query(*arguments.text(0))};
    query.min_relevance = floor.or_else(0);
    return make_query(query);
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
