// memory.explain_recall(): why an episode is where it is in an answer, or why it is not in it.
#include "episodes/tables.h"
#include "pg/encoding.h"
#include "pg/json_writer.h"
#include "pg/memory.h"
#include "rank/diversity.h"
#include "recall/filter.h"
#include "recall/ranking.h"
#include "recall/texts.h"

namespace memory::recall {

namespace {

// Each filter by itself, for the episode $11. The order is that of filter_names.
MEMORY_STATEMENT(ask_filters, R"(
    SELECT {not_expired:e},
        coalesce($3::text IS NULL OR e.session_id = $3, false),
        coalesce($4::text IS NULL OR e.agent_id = $4, false),
        coalesce($5::text[] IS NULL OR e.kind = ANY ($5), false),
        coalesce({filtered:e.metadata,$6,$7,$8}, false),
        coalesce($9::timestamptz IS NULL OR e.occurred_at >= $9, false),
        coalesce($10::timestamptz IS NULL OR e.occurred_at <= $10, false),
        e.importance, e.kind
    FROM memory.episodes e WHERE {tenant:e} AND e.id = $11)"_sql);

constexpr std::array filter_names{"expired", "session_id", "agent_id", "kinds",
                                  "filter",  "since",      "until"};
constexpr int importance_column = filter_names.size();
constexpr int kind_column = importance_column + 1;

class Explanation {
  public:
    // Of a request for the rows from the first one on, of which `skip` are not answered with.
    Explanation(const Request &request, std::int64_t skip, const access::Tenant &tenant,
                const pg_uuid_t &id)
        : request_(request), skip_(skip), tenant_(tenant), uuid_(id), id_(row_id(id)),
          temporary_("memory.explain_recall") {}

    Datum written();

  private:
    bool passes_filters();
    void write_ranking();
    void write_place(const rank::HybridRow &row, std::span<const rank::HybridRow> best);
    void write_lexical(Ranking &ranking, const rank::HybridRow &row);
    void write_terms(Ranking &ranking, const std::optional<rank::LexicalReasons> &reasons);
    void write_reasons(const rank::LexicalReasons &reasons);
    void write_dates(std::span<const text::NamedDate> dates);
    void write_arm(const rank::ArmPart &part, double score);
    void write_weights(const Ranking &ranking, const rank::HybridRow &row);
    void add_or_null(const char *name, std::optional<double> value);

    const Request &request_;
    std::int64_t skip_;
    const access::Tenant &tenant_;
    const pg_uuid_t &uuid_;
    rank::RowId id_;
    double importance_ = 1;
    double half_life_ = 0; // by which it fades in this call, in microseconds; 0: it does not
    pg::TemporaryContext temporary_;
    pg::JsonWriter json_;
};

// Writes which filters the episode fails, and reads what its ranking is explained with. False when
// there is such a filter, or no such episode.
bool Explanation::passes_filters() {
    const pg::Rows rows =
        ask_filters.run(pg::SnapshotOf::caller, {tenant_, request_.filter, uuid_});
    json_.add("found", !rows.empty());
    if (rows.empty()) {
        json_.add("answered", false);
        json_.add("reason", "this user has no such episode");
        return false;
    }
    importance_ = rows.get<pg::Float8>(0, importance_column);
    half_life_ = request_.by_kind
                     ? request_.by_kind->half_life_of(rows.get<pg::Text>(0, kind_column))
                     : request_.half_life;
    bool passes = true;
    json_.begin_array("failed");
    for (std::size_t n = 0; n < filter_names.size(); ++n) {
        if (rows.get<pg::Bool>(0, static_cast<int>(n)))
            continue;
        passes = false;
        json_.add_element(filter_names[n]);
    }
    json_.end_array();
    if (!passes) {
        json_.add("answered", false);
        json_.add("reason", "it fails the filters named in failed");
    }
    return passes;
}

// `score`: of the part's own one, what is answered with.
void Explanation::write_arm(const rank::ArmPart &part, double score) {
    if (part.own.ranked()) {
        json_.add("rank", std::int64_t{part.own.rank});
        json_.add("score", score);
    } else {
        json_.add_null("rank");
        json_.add_null("score");
    }
    json_.add("lent", part.lent.score - part.own.score);
    if (part.lent.ranked())
        json_.add("rank_with_lent", std::int64_t{part.lent.rank});
}

// What each term of the query adds to the text's score.
void Explanation::write_terms(Ranking &ranking,
                              const std::optional<rank::LexicalReasons> &reasons) {
    const index::Retrieved &found = ranking.lexical();
    const std::pmr::vector<index::TextTerms> texts =
        terms_of_episodes(tenant_, ranking.by_text(), std::span(&id_, 1), temporary_.resource());
    const rank::Bm25 bm25(found.parameters, found.corpus);
    json_.add("length", std::int64_t{texts[0].length});
    json_.begin_array("terms");
    for (const index::SearchedTerm &term : found.terms) {
        const auto here = std::find_if(texts[0].counts.begin(), texts[0].counts.end(),
                                       [&](const auto &one) { return one.first == term.term; });
        const std::uint32_t count = here == texts[0].counts.end() ? 0 : here->second;
        json_.begin_element();
        json_.add("term", pg::from_utf8(term.term));
        if (!term.instead_of.empty())
            json_.add("instead_of", pg::from_utf8(term.instead_of));
        json_.add("in_query", std::int64_t{term.multiplicity});
        json_.add("in_text", std::int64_t{count});
        json_.add("documents", static_cast<std::int64_t>(term.documents));
        json_.add("weight", term.weight);
        json_.add("adds",
                  count == 0 ? 0 : bm25.score(term.weight, count, bm25.norm(texts[0].length)));
        if (reasons)
            json_.add("own", reasons->own[term.number]);
        if (reasons && !reasons->lent.empty())
            json_.add("lent", reasons->lent[term.number]);
        json_.end_object();
    }
    json_.end_array();
}

// What made the row's score on this arm of what it has itself and of what it is lent.
void Explanation::write_reasons(const rank::LexicalReasons &reasons) {
    json_.add("coverage", reasons.coverage);
    json_.add("order", reasons.order);
    json_.add("own", reasons.own_sum);
    json_.add("evidence", reasons.evidence);
    json_.add("lends", request_.context_weight * reasons.lent_sum);
    json_.add("dates", reasons.lifts.dates);
    json_.add("names", reasons.lifts.names);
}

// What the query names, and what it counts back from today.
void Explanation::write_dates(std::span<const text::NamedDate> dates) {
    if (dates.empty())
        return;
    json_.begin_array("named_dates");
    for (const text::NamedDate &date : dates)
        json_.add_element(iso_date(date).data());
    json_.end_array();
}

void Explanation::write_lexical(Ranking &ranking, const rank::HybridRow &row) {
    const index::Retrieved &found = ranking.lexical();
    json_.begin_object("lexical");
    write_arm(row.lexical, row.bm25);
    if (!found.by_query.empty())
        json_.add("fuzzy", row.lexical.own.score - row.bm25);
    json_.add("most", found.most);
    json_.add("documents", static_cast<std::int64_t>(found.corpus.documents));
    json_.add("average_length", found.corpus.average_length());
    json_.add("k1", found.parameters.k1);
    json_.add("b", found.parameters.b);
    const std::optional<rank::LexicalReasons> reasons = ranking.reasons(id_);
    if (reasons)
        write_reasons(*reasons);
    write_dates(ranking.dates());
    write_terms(ranking, reasons);
    json_.end_object();
}

void Explanation::add_or_null(const char *name, std::optional<double> value) {
    if (value)
        json_.add(name, *value);
    else
        json_.add_null(name);
}

void Explanation::write_weights(const Ranking &ranking, const rank::HybridRow &row) {
    const rank::HybridQuery &query = ranking.query();
    json_.add("alpha", query.alpha);
    json_.add("vector_weight", ranking.vector_weight());
    if (const auto weights = ranking.vector_weights()) {
        json_.add("vector_weight_least", weights->least);
        json_.add("vector_weight_most", weights->most);
    }
    add_or_null("vector_lead", ranking.scale().vector_lead);
    add_or_null("vector_height", ranking.scale().vector_height);
    add_or_null("lexical_lead", ranking.scale().lexical_lead);
    json_.add("importance", importance_); // without what a rule of the kind makes fade
    const auto age = static_cast<double>(query.now - row.row.order.time);
    json_.add("decay", half_life_ > 0 ? rank::decay(age, half_life_) : 1.0);
    json_.add("context_weight", query.context_weight);
    json_.add("relevance", row.relevance);
    add_or_null("fused", row.fused);
    json_.add("score", row.score);
}

void Explanation::write_place(const rank::HybridRow &row, std::span<const rank::HybridRow> best) {
    const auto here = std::find_if(best.begin(), best.end(), [this](const rank::HybridRow &one) {
        return one.row.order.id == id_;
    });
    if (here != best.end()) {
        const std::int64_t position = here - best.begin() + 1;
        json_.add("answered", position > skip_);
        json_.add("position", position);
        if (position <= skip_)
            json_.add("reason", "skip leaves it out");
        return;
    }
    json_.add("answered", false);
    const char *reason = "k others have a better score";
    if (!row.fused)
        reason = "neither its words nor its embedding match";
    else if (row.relevance < request_.min_relevance)
        reason = "its relevance is below min_relevance";
    else if (request_.diversity > 0)
        reason = "k others have a better score, or are more unlike each other";
    json_.add("reason", reason);
    if (!best.empty())
        json_.add("score_of_last", best.back().score);
}

void Explanation::write_ranking() {
    Ranking ranking(request_, tenant_, temporary_.resource());
    const std::pmr::vector<rank::HybridRow> best = ranking.best();
    const std::optional<rank::HybridRow> row = ranking.standing(id_);
    if (!row) // unreachable: both reads use one snapshot
        return json_.add("answered", false);
    write_place(*row, best);
    write_weights(ranking, *row);
    if (request_.query)
        write_lexical(ranking, *row);
    if (request_.embedding != nullptr) {
        json_.begin_object("vector");
        write_arm(row->vector, row->vector.own.score);
        if (ranking.estimates_vectors())
            json_.add("estimated", true); // rank, vector_height: docs/codes.md
        json_.end_object();
    }
}

Datum Explanation::written() {
    if (!passes_filters())
        return json_.finish();
    if (request_.query || request_.embedding != nullptr)
        write_ranking();
    else
        json_.add("reason", "nothing is asked for: the newest episodes are the answer");
    return json_.finish();
}

} // namespace

MEMORY_CALL(memory_explain_recall,
            "id uuid, query text, embedding vector, k bigint, alpha float8,"
            " user_id text, session_id text, agent_id text, kinds text[],"
            " filter jsonb, since timestamptz, until timestamptz,"
            " min_relevance float8, half_life interval, diversity float8,"
            " context_weight float8, fusion text, fallback text, skip bigint,"
            " model text, rrf_k bigint, fuzzy boolean") {
    const pg_uuid_t id = call.uuid("id").required();
    Request request = scored_request(call);
    const std::int64_t skip = std::exchange(request.skip, 0);
    request.k += skip;
    const access::Reading reading(call, episodes::room);
    settle(request, reading.tenant().name_space);
    return call.result(pg::Document{Explanation(request, skip, reading.tenant(), id).written()});
}

} // namespace memory::recall
