// memory.recall_facts and memory.recall_graph: facts by their text and by vectors.
#include "facts/graph.h"
#include "facts/read.h"
#include "facts/sql.h"

#include "access/visible.h"
#include "models/settings.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "rank/fusion.h"
#include "text/settings_sql.h"

#include <cmath>

namespace memory::facts {

namespace {

using pg::SnapshotOf;

// $3 query, $4 valid at; the index ranks among the current facts of the user.
MEMORY_STATEMENT(rank_texts_now, R"(
    SELECT f.id, f.valid_from, - (f.statement OPERATOR(memory.<@>) memory.query($3))
    FROM memory.facts f
    WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$4}
        AND f.statement OPERATOR(memory.@@@) memory.query($3)
    ORDER BY f.statement OPERATOR(memory.<@>) memory.query($3))"_sql);

// $5 known at. What was believed then is a corpus of its own.
MEMORY_STATEMENT(rank_texts_then, R"(
    SELECT f.id, f.valid_from, r.score
    FROM (SELECT array_agg(f.id) AS ids, array_agg(f.statement) AS texts
          FROM memory.facts f WHERE {tenant:f} AND {known_at:f,$5}) c
        CROSS JOIN LATERAL memory.bm25_rank(c.ids, c.texts, $3) r
        JOIN memory.facts f ON {tenant:f} AND f.id = r.id AND {valid_at:f,$4})"_sql);

// $3 model, $4 valid at, and {0} says as known when.
constexpr pg::sql::Fragment vectors[]{{"vectors", R"(
    SELECT f.id, f.valid_from, e.embedding
    FROM memory.facts f
        JOIN memory.fact_embeddings e ON e.namespace = f.namespace AND e.user_id = f.user_id
            AND e.subject_key = f.subject_key AND e.predicate = f.predicate
            AND e.object_key = f.object_key
    WHERE {tenant:f} AND e.model = $3 AND {0} AND {valid_at:f,$4})"}};
MEMORY_STATEMENT(find_vectors_now,
                 pg::compose<"{vectors:{known_now:f}}", access::fragments, fragments, vectors>());
MEMORY_STATEMENT(find_vectors_then,
                 pg::compose<"{vectors:{known_at:f,$5}}", access::fragments, fragments, vectors>());

// $3 valid at, $4 how many, $5 known at.
MEMORY_STATEMENT(find_newest_now, R"(
    SELECT f.id, f.valid_from FROM memory.facts f
    WHERE {tenant:f} AND {known_now:f} AND {valid_at:f,$3} {newest:f,$4})"_sql);
MEMORY_STATEMENT(find_newest_then, R"(
    SELECT f.id, f.valid_from FROM memory.facts f
    WHERE {tenant:f} AND {known_at:f,$5} AND {valid_at:f,$3} {newest:f,$4})"_sql);

MEMORY_STATEMENT(show_one, R"(
    SELECT {fact:f}, $4::float8, $5::float8, $6::float8
    FROM memory.facts f WHERE {tenant:f} AND f.id = $3)"_sql);

MEMORY_STATEMENT(find_ends, R"(
    SELECT f.subject_key, f.object_key FROM memory.facts f WHERE {tenant:f} AND f.id = $3)"_sql);

// What a call asks for.
struct Request {
    access::Tenant tenant;
    std::string_view query;
    const pg::Vector *embedding;
    std::int64_t k;
    std::optional<pg::Instant> valid_at;
    std::optional<pg::Instant> known_at;

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
    return a.valid_from != b.valid_from ? a.valid_from > b.valid_from : pg::compare(a.id, b.id) > 0;
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
    Candidate &add(const pg_uuid_t &id, Instant valid_from);
    pg::Rows ranked_texts(long wanted) const;
    void add_texts();
    void add_vectors();
    void add_newest();
    void give_ranks(Arm arm);
    void fuse();

    const Request &request_;
    Candidates found_;
};

Candidate &Recall::add(const pg_uuid_t &id, Instant valid_from) {
    return found_.emplace_back(Candidate{id, valid_from, {}, {}});
}

double text_score(const pg::Rows &rows, std::uint64_t row) { return rows.get<pg::Float8>(row, 2); }

// Of texts as many as can decide: alone the first k, beside vectors so many that what a rank
// further down adds is little; and all that score as the last of these, as newness decides between
// them.
void Recall::add_texts() {
    const std::int64_t k = request_.k;
    const long wanted = request_.embedding != nullptr ? std::max<long>(1000, 10 * k) : k;
    const pg::Rows rows = ranked_texts(wanted);
    if (rows.empty())
        return;
    const std::uint64_t last = std::min(rows.size(), static_cast<std::uint64_t>(wanted)) - 1;
    const double least = request_.known_at ? 0 : text_score(rows, last);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [id, valid_from, score] = rows.get<pg::Uuid, pg::Time, pg::Float8>(row);
        if (score >= least)
            add(id, valid_from).text.score = score;
    }
}

// At least the first of them by text and all that score as the last of these.
pg::Rows Recall::ranked_texts(long wanted) const {
    const pg::Values values{request_.tenant, request_.query, request_.valid_at, request_.known_at};
    if (request_.known_at) // in no order
        return rank_texts_then.run(SnapshotOf::caller, values);
    for (long limit = 2 * wanted;; limit *= 8) {
        const pg::Rows rows = rank_texts_now.run(SnapshotOf::caller, values, limit);
        const std::uint64_t found = rows.size();
        if (found < static_cast<std::uint64_t>(limit) ||
            text_score(rows, found - 1) < text_score(rows, static_cast<std::uint64_t>(wanted) - 1))
            return rows;
    }
}

void check_dimensions(std::size_t given, std::size_t stored) {
    if (given != stored)
        throw pg::Error(ERRCODE_DATA_EXCEPTION,
                        "embedding has %zu dimensions, those of the facts have %zu", given, stored)
            .hint("Set memory.embedding_model to the model that the embedding comes from.");
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

// All vectors of the user, exactly, and one at a time. Those that point away from the query's get
// no credit.
void Recall::add_vectors() {
    const std::span<const float> wanted = request_.embedding->elements();
    pg::TemporaryContext some_rows("memory: comparing vectors");
    std::uint64_t compared = 0;
    (request_.known_at ? find_vectors_then : find_vectors_now)
        .each(SnapshotOf::caller,
              {request_.tenant, models::embedding_model(), request_.valid_at, request_.known_at},
              [&](const pg::Row &row) {
                  // Where a vector that lies out of line is brought to.
                  const pg::SwitchedContext switched(some_rows.get());
                  const auto [id, valid_from, stored] = row.get<pg::Uuid, pg::Time, pg::Vectors>();
                  check_dimensions(wanted.size(), stored.elements().size());
                  if (const double score = cosine(wanted, stored.elements()); score > 0)
                      add(id, valid_from).vector.score = score;
                  if (++compared % 256 == 0)
                      some_rows.reset();
              });
}

void Recall::add_newest() {
    const pg::Rows rows = (request_.known_at ? find_newest_then : find_newest_now)
                              .run(SnapshotOf::caller, {request_.tenant, request_.valid_at,
                                                        request_.k, request_.known_at});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [id, valid_from] = rows.get<pg::Uuid, pg::Time>(row);
        add(id, valid_from);
    }
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
        if (pg::compare(found_[last].id, found_[i].id) != 0) {
            found_[++last] = found_[i];
            continue;
        }
        found_[last].text = found_[last].text.ranked() ? found_[last].text : found_[i].text;
        found_[last].vector = found_[last].vector.ranked() ? found_[last].vector : found_[i].vector;
    }
    found_.resize(std::min(found_.size(), last + 1));
    const double both = 0.5;
    const double alpha =
        request_.embedding != nullptr && request_.has_text()
            ? both
            : rank::single_arm_alpha(rank::Fusion::rrf, request_.embedding != nullptr, both);
    const rank::Fuser fuser(rank::Fusion::rrf, alpha);
    for (Candidate &one : found_)
        one.score = fuser.score(one.text, one.vector).value_or(0);
}

std::span<const Candidate> Recall::best() {
    if (request_.has_text())
        add_texts();
    if (request_.embedding != nullptr)
        add_vectors();
    if (!request_.has_text() && request_.embedding == nullptr)
        add_newest();
    give_ranks(&Candidate::text);
    give_ranks(&Candidate::vector);
    fuse();
    std::sort(found_.begin(), found_.end(), [](const Candidate &a, const Candidate &b) {
        return a.score != b.score ? a.score > b.score : is_newer(a, b);
    });
    return std::span(found_).first(std::min(found_.size(), static_cast<std::size_t>(request_.k)));
}

std::optional<double> score_of(const rank::Standing &standing) {
    return standing.ranked() ? std::optional(standing.score) : std::nullopt;
}

// Both ends of the facts that are found, best first.
std::pmr::vector<std::string_view> seeds_for(const Request &request,
                                             std::pmr::memory_resource *memory) {
    Recall recall(request, memory);
    std::pmr::vector<std::string_view> seeds(memory);
    for (const Candidate &one : recall.best()) {
        const pg::Rows rows = find_ends.run(SnapshotOf::caller, {request.tenant, one.id});
        const auto [subject, object] = rows.get<pg::Text, pg::Text>(0);
        seeds.push_back(pg::copied_text(subject));
        seeds.push_back(pg::copied_text(object));
    }
    return seeds;
}

} // namespace

MEMORY_CALL(memory_recall_facts, "query text, embedding vector, k bigint, user_id text,"
                                 " valid_at timestamptz, known_at timestamptz") {
    Request request{{},
                    text::checked_query(call.text("query").or_else("")),
                    call.vector("embedding").or_else(nullptr),
                    call.bigint("k").between(1, access::most_rows).or_else(5),
                    call.instant("valid_at"),
                    known_at(call.instant("known_at"))};
    access::Reading reading(call, room);
    request.tenant = reading.tenant();
    if (access::hides_all_facts(request.tenant))
        return call.nothing();
    pg::ContextResource memory(CurrentMemoryContext);
    Recall recall(request, &memory);
    for (const Candidate &one : recall.best())
        reading.rows().add_from(
            show_one, SnapshotOf::caller,
            {request.tenant, one.id, one.score, score_of(one.text), score_of(one.vector)});
    return call.nothing();
}

MEMORY_CALL(memory_recall_graph, "query text, hops bigint, k bigint, user_id text,"
                                 " valid_at timestamptz, known_at timestamptz") {
    Request request{{},
                    text::checked_query(call.text("query").required()),
                    nullptr,
                    call.bigint("k").between(1, access::most_rows).or_else(10),
                    call.instant("valid_at"),
                    known_at(call.instant("known_at"))};
    const std::int64_t hops = call.bigint("hops").between(1, most_hops).or_else(2);
    access::Reading reading(call, room);
    request.tenant = reading.tenant();
    if (access::hides_all_facts(request.tenant))
        return call.nothing();
    pg::ContextResource memory(CurrentMemoryContext);
    walk_from(seeds_for(request, &memory),
              {request.tenant, hops, request.k, request.valid_at, request.known_at},
              reading.rows());
    return call.nothing();
}

} // namespace memory::facts
