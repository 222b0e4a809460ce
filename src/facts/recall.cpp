// memory.recall_facts and memory.recall_graph: facts by their text and by vectors.
#include "facts/graph.h"
#include "facts/read.h"

#include "access/visible.h"
#include "episodes/episode.h"
#include "facts/tables.h"
#include "models/settings.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "pg/vector.h"
#include "rank/fusion.h"
#include "schema/require.h"
#include "text/settings_sql.h"

#include <cmath>

namespace memory::facts {

namespace {

using pg::Access;
using pg::Parameter;
using pg::Statement;

#define QUERY "memory.query($3)"

// $3 query, $4 valid at; the index ranks among the current facts of the user.
constinit Statement
    rank_texts_now("SELECT f.id, f.valid_from, - (f.statement OPERATOR(memory.<@>) " QUERY ") "
                   "FROM memory.facts f WHERE " OF_TENANT("f") KNOWN_NOW("f")
                       VALID_AT("f", "$4") "AND f.statement OPERATOR(memory.@@@) " QUERY
                                           " ORDER BY f.statement OPERATOR(memory.<@>) " QUERY);

// $5 known at. What was believed then is a corpus of its own.
constinit Statement rank_texts_then(
    "SELECT f.id, f.valid_from, r.score FROM ("
    "SELECT pg_catalog.array_agg(f.id) AS ids, pg_catalog.array_agg(f.statement) AS texts"
    " FROM memory.facts f WHERE " OF_TENANT("f")
        KNOWN_AT("f", "$5") ") c"
                            " CROSS JOIN LATERAL memory.bm25_rank(c.ids, c.texts, $3) r JOIN "
                            "memory.facts f ON " OF_TENANT(
                                "f") " AND f.id OPERATOR(pg_catalog.=) r.id" VALID_AT("f", "$4"));

// $3 model, $4 valid at, $5 known at.
#define VECTORS(known)                                                                             \
    Statement("SELECT f.id, f.valid_from, e.embedding FROM memory.facts f"                         \
              " JOIN memory.fact_embeddings e ON e.namespace OPERATOR(pg_catalog.=) f.namespace"   \
              " AND e.user_id OPERATOR(pg_catalog.=) f.user_id"                                    \
              " AND e.subject_key OPERATOR(pg_catalog.=) f.subject_key"                            \
              " AND e.predicate OPERATOR(pg_catalog.=) f.predicate"                                \
              " AND e.object_key OPERATOR(pg_catalog.=) f.object_key "                             \
              "WHERE " OF_TENANT("f") " AND e.model OPERATOR(pg_catalog.=) $3" known VALID_AT(     \
                  "f", "$4"))
constinit Statement find_vectors_now = VECTORS(KNOWN_NOW("f"));
constinit Statement find_vectors_then = VECTORS(KNOWN_AT("f", "$5"));

// $3 valid at, $4 how many, $5 known at.
#define NEWEST(known)                                                                              \
    Statement(                                                                                     \
        "SELECT f.id, f.valid_from, 0::pg_catalog.float8 FROM memory.facts f WHERE " OF_TENANT(    \
            "f") known VALID_AT("f", "$3") "ORDER BY f.valid_from DESC, f.id DESC LIMIT $4")
constinit Statement find_newest_now = NEWEST(KNOWN_NOW("f"));
constinit Statement find_newest_then = NEWEST(KNOWN_AT("f", "$5"));

constinit Statement show_one("SELECT " MEMORY_FACT_COLUMNS(
    "f") ", $4, $5, $6 FROM memory.facts f"
         " WHERE " OF_TENANT("f") " AND f.id OPERATOR(pg_catalog.=) $3");

constinit Statement find_ends("SELECT f.subject_key, f.object_key FROM memory.facts f"
                              " WHERE " OF_TENANT("f") " AND f.id OPERATOR(pg_catalog.=) $3");

// What a call asks for.
struct Request {
    access::Tenant tenant;
    std::string_view query;
    std::optional<Datum> embedding;
    std::int32_t k;
    std::optional<Datum> valid_at;
    std::optional<Datum> known_at;

    bool has_text() const { return query.find_first_not_of(" \t\r\n\f\v") != query.npos; }
};

// A fact on its way into the result.
struct Candidate {
    pg_uuid_t id;
    Instant valid_from;
    rank::Standing text;
    rank::Standing vector;
    double score = 0;
};

// Newer ones come first where scores are equal.
bool is_newer(const Candidate &a, const Candidate &b) {
    return a.valid_from != b.valid_from ? a.valid_from > b.valid_from
                                        : std::memcmp(&a.id, &b.id, UUID_LEN) > 0;
}

using Candidates = std::pmr::vector<Candidate>;
using Arm = rank::Standing Candidate::*;

class Recall {
  public:
    Recall(const Request &request, std::pmr::memory_resource *memory)
        : request_(request), found_(memory) {}

    // The best, best first.
    std::span<const Candidate> best();

  private:
    Parameter valid_at() const { return Parameter::of(TIMESTAMPTZOID, request_.valid_at); }
    Parameter known_at() const { return Parameter::of(TIMESTAMPTZOID, request_.known_at); }
    Candidate &candidate(const pg::Rows &rows, std::uint64_t row);
    pg::Rows ranked_texts(long wanted) const;
    void add_texts();
    void add_vectors();
    void add_newest();
    void give_ranks(Arm arm);
    void fuse();

    const Request &request_;
    Candidates found_;
};

Candidate &Recall::candidate(const pg::Rows &rows, std::uint64_t row) {
    return found_.emplace_back(
        Candidate{rows.get<pg::Uuid>(row, 0), rows.get<pg::Time>(row, 1), {}, {}});
}

double text_score(const pg::Rows &rows, std::uint64_t row) { return rows.get<pg::Float8>(row, 2); }

// Of texts as many as can decide: alone the first k, beside vectors so many that what a rank
// further down adds is little; and all that score as the last of these, as newness decides between
// them.
void Recall::add_texts() {
    const long k = request_.k;
    const long wanted = request_.embedding ? std::max(1000L, 10 * k) : k;
    const pg::Rows rows = ranked_texts(wanted);
    if (rows.empty())
        return;
    const std::uint64_t last = std::min(rows.size(), static_cast<std::uint64_t>(wanted)) - 1;
    const double least = request_.known_at ? 0 : text_score(rows, last);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        if (const double score = text_score(rows, row); score >= least)
            candidate(rows, row).text.score = score;
}

// At least the first of them by text and all that score as the last of these.
pg::Rows Recall::ranked_texts(long wanted) const {
    const std::array parameters{request_.tenant.name_space_parameter(),
                                request_.tenant.user_parameter(), Parameter::text(request_.query),
                                valid_at(), known_at()};
    if (request_.known_at) // in no order
        return rank_texts_then.run(parameters, Access::read);
    for (long limit = 2 * wanted;; limit *= 8) {
        const pg::Rows rows = rank_texts_now.run(parameters, Access::read, limit);
        const std::uint64_t found = rows.size();
        if (found < static_cast<std::uint64_t>(limit) ||
            text_score(rows, found - 1) < text_score(rows, static_cast<std::uint64_t>(wanted) - 1))
            return rows;
    }
}

double cosine(std::span<const float> a, std::span<const float> b) {
    double product = 0;
    double of_a = 0;
    double of_b = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        product += double{a[i]} * double{b[i]};
        of_a += double{a[i]} * double{a[i]};
        of_b += double{b[i]} * double{b[i]};
    }
    return of_a > 0 && of_b > 0 ? product / std::sqrt(of_a * of_b) : 0;
}

// All vectors of the user, exactly. Those that point away from the query's get no credit.
void Recall::add_vectors() {
    const std::span<const float> wanted = pg::vector_view(*request_.embedding).elements();
    const std::array parameters{request_.tenant.name_space_parameter(),
                                request_.tenant.user_parameter(),
                                Parameter::text(models::embedding_model()), valid_at(), known_at()};
    const pg::Rows rows =
        (request_.known_at ? find_vectors_then : find_vectors_now).run(parameters, Access::read);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        pg::check_for_interrupts();
        const auto stored = rows.get<pg::Vectors>(row, 2).elements();
        if (stored.size() != wanted.size())
            throw pg::Error(ERRCODE_DATA_EXCEPTION,
                            "embedding has %zu dimensions, those of the facts have %zu",
                            wanted.size(), stored.size())
                .hint("Set memory.embedding_model to the model that the embedding comes from.");
        if (const double score = cosine(wanted, stored); score > 0)
            candidate(rows, row).vector.score = score;
    }
}

void Recall::add_newest() {
    const std::array parameters{request_.tenant.name_space_parameter(),
                                request_.tenant.user_parameter(), valid_at(),
                                Parameter::of(INT4OID, Int32GetDatum(request_.k)), known_at()};
    const pg::Rows rows =
        (request_.known_at ? find_newest_then : find_newest_now).run(parameters, Access::read);
    for (std::uint64_t row = 0; row < rows.size(); ++row)
        candidate(rows, row);
}

void Recall::give_ranks(Arm arm) {
    std::sort(found_.begin(), found_.end(), [arm](const Candidate &a, const Candidate &b) {
        return (a.*arm).score != (b.*arm).score ? (a.*arm).score > (b.*arm).score : is_newer(a, b);
    });
    std::uint32_t rank = 0;
    for (Candidate &one : found_)
        if ((one.*arm).score > 0)
            (one.*arm).rank = ++rank;
}

// A fact that both arms have found is one.
void Recall::fuse() {
    std::sort(found_.begin(), found_.end(), is_newer);
    std::size_t last = 0;
    for (std::size_t i = 1; i < found_.size(); ++i) {
        if (std::memcmp(&found_[last].id, &found_[i].id, UUID_LEN) != 0) {
            found_[++last] = found_[i];
            continue;
        }
        found_[last].text = found_[last].text.ranked() ? found_[last].text : found_[i].text;
        found_[last].vector = found_[last].vector.ranked() ? found_[last].vector : found_[i].vector;
    }
    found_.resize(std::min(found_.size(), last + 1));
    const double both = 0.5;
    const double alpha =
        request_.embedding && request_.has_text()
            ? both
            : rank::single_arm_alpha(rank::Fusion::rrf, request_.embedding.has_value(), both);
    const rank::Fuser fuser(rank::Fusion::rrf, alpha);
    for (Candidate &one : found_)
        one.score = fuser.score(one.text, one.vector).value_or(0);
}

std::span<const Candidate> Recall::best() {
    if (request_.has_text())
        add_texts();
    if (request_.embedding)
        add_vectors();
    if (!request_.has_text() && !request_.embedding)
        add_newest();
    give_ranks(&Candidate::text);
    give_ranks(&Candidate::vector);
    fuse();
    std::sort(found_.begin(), found_.end(), [](const Candidate &a, const Candidate &b) {
        return a.score != b.score ? a.score > b.score : is_newer(a, b);
    });
    return std::span(found_).first(std::min(found_.size(), static_cast<std::size_t>(request_.k)));
}

Parameter score_parameter(const rank::Standing &standing) {
    return standing.ranked() ? Parameter::of(FLOAT8OID, Float8GetDatum(standing.score))
                             : Parameter::absent(FLOAT8OID);
}

// Both ends of the facts that are found, best first.
std::pmr::vector<std::string_view> seeds_for(const Request &request,
                                             std::pmr::memory_resource *memory) {
    Recall recall(request, memory);
    std::pmr::vector<std::string_view> seeds(memory);
    for (const Candidate &one : recall.best()) {
        const std::array parameters{request.tenant.name_space_parameter(),
                                    request.tenant.user_parameter(), Parameter::uuid(one.id)};
        const pg::Rows rows = find_ends.run(parameters, Access::read);
        for (int column = 0; column < 2; ++column)
            seeds.push_back(pg::copied_text(rows.get<pg::Text>(0, column)));
    }
    return seeds;
}

} // namespace

MEMORY_FUNCTION(memory_recall_facts) {
    const std::int32_t k = row_limit(arguments, 2, 5);
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const Request request{access::reading_tenant(arguments.text(3)),
                          arguments.text(0).value_or(""),
                          arguments.optional(1),
                          k,
                          arguments.optional(4),
                          known_at(arguments, 5)};
    if (access::hides_all_facts(request.tenant))
        return Datum{0};
    pg::ContextResource memory(CurrentMemoryContext);
    Recall recall(request, &memory);
    for (const Candidate &one : recall.best()) {
        const std::array parameters{request.tenant.name_space_parameter(),
                                    request.tenant.user_parameter(),
                                    Parameter::uuid(one.id),
                                    Parameter::of(FLOAT8OID, Float8GetDatum(one.score)),
                                    score_parameter(one.text),
                                    score_parameter(one.vector)};
        result.add_from(show_one, parameters, Access::read);
    }
    return Datum{0};
}

MEMORY_FUNCTION(memory_recall_graph) {
    if (!arguments.has(0))
        throw pg::Error(ERRCODE_NULL_VALUE_NOT_ALLOWED, "query must not be null");
    const std::int32_t hops = hop_limit(arguments, 1);
    const std::int32_t k = row_limit(arguments, 2, 10);
    schema::require(schema::Need::to_read, room);
    pg::ResultSet result(arguments);
    const pg::Spi spi;
    const Request request{access::reading_tenant(arguments.text(3)),
                          *arguments.text(0),
                          std::nullopt,
                          k,
                          arguments.optional(4),
                          known_at(arguments, 5)};
    if (access::hides_all_facts(request.tenant))
        return Datum{0};
    const Walk walk{request.tenant, hops, k, request.valid_at, request.known_at};
    pg::ContextResource memory(CurrentMemoryContext);
    walk_from(seeds_for(request, &memory), walk, result);
    return Datum{0};
}

} // namespace memory::facts
