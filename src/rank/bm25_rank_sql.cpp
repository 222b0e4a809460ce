// memory.bm25_rank: exact BM25 over texts given as arrays, without an index.
#include "pg/encoding.h"
#include "pg/memory.h"
#include "pg/rows.h"
#include "rank/collection.h"
#include "rank/top_k.h"
#include "text/interruption_sql.h"
#include "text/server_sql.h"
#include "text/settings_sql.h"
#include "text/terms.h"

extern "C" {
#include "utils/array.h"
}

namespace memory::rank {

namespace {

// The elements of an array argument of one dimension, NULLs included.
struct Elements {
    const Datum *values;
    const bool *nulls;
    std::size_t count;
};

Elements elements_of(Datum array) {
    return pg::call([array] {
        ArrayType *whole = DatumGetArrayTypeP(array);
        std::int16_t length;
        bool by_value;
        char alignment;
        get_typlenbyvalalign(ARR_ELEMTYPE(whole), &length, &by_value, &alignment);
        Datum *values;
        bool *nulls;
        int count;
        deconstruct_array(whole, ARR_ELEMTYPE(whole), length, by_value, alignment, &values, &nulls,
                          &count);
        return Elements{values, nulls, static_cast<std::size_t>(count)};
    });
}

double float_argument(const pg::Arguments &arguments, int n) {
    return DatumGetFloat8(arguments.datum(n));
}

Bm25Parameters parameters_of(const pg::Arguments &arguments) {
    const Bm25Parameters given{float_argument(arguments, 3), float_argument(arguments, 4)};
    if (!given.valid())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE,
                        "k1 must be 0 or more and b between 0 and 1");
    return given;
}

// Texts by the rules of one dictionary.
class Texts {
  public:
    Texts(Oid dictionary, std::pmr::memory_resource *memory)
        : dictionary_(dictionary), terms_(memory, text::server_interruption), counts_(memory) {}

    void add_to(Collection &collection, std::string_view contents) {
        analyze(contents);
        counts_.clear();
        for (const text::TermCount &term : terms_.document())
            counts_.push_back({term.term, term.count});
        collection.add(counts_, terms_.length());
    }

    // The query's tokens, with repetitions; valid until the next call.
    std::pmr::vector<std::string_view> query(std::string_view contents) {
        analyze(contents);
        std::pmr::vector<std::string_view> tokens(counts_.get_allocator());
        for (const text::TermCount &term : terms_.query())
            tokens.insert(tokens.end(), term.count, term.term);
        return tokens;
    }

  private:
    void analyze(std::string_view contents) {
        terms_.clear();
        text::analyzer_for(dictionary_).analyze(pg::to_utf8(contents), terms_);
    }

    Oid dictionary_;
    text::Terms terms_;
    std::pmr::vector<TermCount> counts_;
};

// The matching documents, best first; of equal ones the one given first.
void answer(pg::ResultSet &result, std::span<const double> scores,
            std::span<const std::size_t> places, const Elements &ids,
            std::pmr::memory_resource *memory) {
    std::pmr::vector<Scored<std::size_t>> found(memory);
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i] > 0)
            found.push_back({scores[i], places[i]});
    BestFirst<std::size_t> ordered(found);
    for (std::int64_t rank = 1; !ordered.empty(); ++rank) {
        pg::check_for_interrupts();
        const Scored<std::size_t> &best = ordered.take();
        const std::array values{ids.values[best.key], Float8GetDatum(best.score),
                                Int64GetDatum(rank)};
        const std::array nulls{ids.nulls[best.key], false, false};
        result.add(values, nulls);
    }
}

} // namespace

MEMORY_FUNCTION(memory_bm25_rank) {
    pg::ResultSet result(arguments);
    if (!arguments.has(0) || !arguments.has(1) || !arguments.has(2))
        return Datum{0};
    const Bm25Parameters parameters = parameters_of(arguments);
    const std::string_view wanted = text::checked_query(*arguments.text(2));
    const Elements ids = elements_of(arguments.datum(0));
    const Elements texts = elements_of(arguments.datum(1));
    if (ids.count != texts.count)
        throw pg::Error(ERRCODE_ARRAY_SUBSCRIPT_ERROR,
                        "ids and texts must have as many elements, but have %zu and %zu", ids.count,
                        texts.count);
    const Oid dictionary = arguments.has(5) ? DatumGetObjectId(arguments.datum(5)) : InvalidOid;
    pg::TemporaryContext temporary("memory.bm25_rank");
    Collection collection(temporary.resource(), text::server_interruption);
    Texts analysis(dictionary, temporary.resource());
    std::pmr::vector<std::size_t> places(temporary.resource());
    for (std::size_t i = 0; i < texts.count; ++i) {
        pg::check_for_interrupts();
        if (texts.nulls[i])
            continue; // no text, no document
        analysis.add_to(collection, pg::text_view(texts.values[i]));
        places.push_back(i);
    }
    std::pmr::vector<double> scores(collection.size(), temporary.resource());
    const auto query = analysis.query(wanted);
    collection.score(query, parameters, scores);
    answer(result, scores, places, ids, temporary.resource());
    return Datum{0};
}

} // namespace memory::rank
