// memory.tokens: what a text is cut into. It shows what counts: the weak tokens (docs/text.md) only
// of a text that has no others, so that BM25 over these rows is what the index computes.
#include "pg/encoding.h"
#include "pg/rows.h"
#include "text/offsets.h"
#include "text/server_sql.h"

namespace memory::text {

namespace {

bool is_weak(const Token &token) { return token.weight == Weight::weak; }

class AnyWord final : public TokenSink {
  public:
    void take(const Token &token) override { found |= !is_weak(token); }
    bool found = false;
};

class TokenRows final : public TokenSink {
  public:
    TokenRows(pg::ResultSet &result, std::string_view contents, bool with_weak)
        : result_(result), offsets_(contents), with_weak_(with_weak) {}

    void take(const Token &token) override {
        if (is_weak(token) && !with_weak_)
            return;
        const std::int32_t begin = offsets_.at(token.begin);
        const std::array values{pg::to_datum(pg::from_utf8(token.term)),
                                Int64GetDatum(static_cast<std::int64_t>(token.ordinal)),
                                Int64GetDatum(begin), Int64GetDatum(offsets_.at(token.end))};
        constexpr std::array<bool, values.size()> nulls{};
        result_.add(values, nulls);
        pg::call([&] { pfree(DatumGetPointer(values[0])); }); // a long text has many
    }

  private:
    pg::ResultSet &result_;
    CharacterOffsets offsets_;
    bool with_weak_;
};

} // namespace

MEMORY_FUNCTION(memory_tokens) {
    pg::ResultSet result(arguments);
    if (!arguments.has(0))
        return Datum{0};
    const Oid dictionary = arguments.has(1) ? DatumGetObjectId(arguments.datum(1)) : InvalidOid;
    const std::string_view contents = pg::to_utf8(*arguments.text(0));
    AnyWord word;
    analyzer_for(dictionary).analyze(contents, word);
    TokenRows rows(result, contents, !word.found);
    analyzer_for(dictionary).analyze(contents, rows);
    return Datum{0};
}

} // namespace memory::text
