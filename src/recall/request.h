// What a call of recall_scored() asks for: its arguments, checked.
#pragma once

#include "access/page.h"
#include "filter/filter.h"
#include "models/comparison.h"
#include "models/tasks.h"
#include "rank/fusion.h"
#include "recall/settings.h"
#include "text/settings_sql.h"

namespace memory::recall {

// Which rows may be answered with. Views and Datums are the caller's.
struct Filter {
    std::optional<std::string_view> session_id;
    std::optional<std::string_view> agent_id;
    std::optional<std::span<const std::string_view>> kinds;
    filter::Conditions metadata;
    std::optional<pg::Instant> since;
    std::optional<pg::Instant> until; // inclusive, as `since` is

    bool any() const noexcept {
        return session_id || agent_id || kinds || metadata.any() || since || until;
    }
};

enum class Fallback { none, recent };

// Which scores halve with age: all, or those of this kind alone. The others are in index
// episodes_lasting.
enum class Fading { all, episodic };
inline constexpr std::string_view fading_kind = "episodic";

// How fast the scores of episodes of some kinds halve with their age (memory.set_retention), in
// microseconds.
struct KindFading {
    struct Kind {
        std::string_view kind;
        double half_life; // 0: they do not
    };
    std::span<const Kind> kinds;
    double others = 0; // of all other kinds

    double half_life_of(std::string_view kind) const {
        for (const Kind &one : kinds)
            if (one.kind == kind)
                return one.half_life;
        return others;
    }
};

struct Request {
    std::optional<std::string_view> query; // not blank
    const pg::Vector *embedding = nullptr;
    std::optional<std::string_view> named_model; // by the call
    std::string_view model;                      // whose embeddings are compared: settle()
    std::int64_t k = 5;
    std::int64_t skip = 0;       // so many rows come before
    std::optional<double> alpha; // settle() says it where both arms rank
    Filter filter;
    double min_relevance = 0;
    double half_life = 0; // in microseconds; 0: none
    Fading fading = Fading::all;
    std::optional<KindFading> by_kind; // where half_life is 0
    double diversity = 0;
    double context_weight = 0;
    bool fuzzy = false; // words that no episode has may stand for others
    rank::Fusion fusion = rank::Fusion::blend;
    double rrf_k = rank::usual_rrf_k;
    Fallback fallback = Fallback::none;
};

inline constexpr std::int64_t most_rrf_k = 1'000'000;

inline constexpr pg::Choice<rank::Fusion> fusions[]{
    {"rrf", rank::Fusion::rrf},
    {"blend", rank::Fusion::blend},
    {"rrf_replicated", rank::Fusion::rrf_replicated},
};
inline constexpr pg::Choice<Fallback> fallbacks[]{{"none", Fallback::none},
                                                  {"recent", Fallback::recent}};

// Says so where words that are searched for are a vector, as `[0.1, 0.2]`.
void notice_vector(const Request &request);

// In microseconds; 0 where it is not given.
double length_of(const pg::Given<Interval> &given);

void read_times(std::optional<pg::Instant> since, std::optional<pg::Instant> until, Filter &read);

// How kinds of episodes fade in the namespace, in the current memory context, with the usual fading
// (retention/rules.h) where that is asked for. Nothing where the namespace says nothing of it.
std::optional<KindFading> fading_in(std::string_view name_space, bool usual);

// Fills in what the namespace decides: whose vectors are compared, the vector of a
// query that comes without one, and the weight of the vectors; and how kinds of episodes fade,
// where the call says nothing. Needs a live Spi.
void settle(Request &request, std::string_view name_space);

// The arguments of recall_scored(), which those of explain_recall() are, too.
template <class Call>
Request scored_request(const Call &call) {
    Request read;
    read.query = text::unless_blank(text::checked_query(call.text("query").optional()));
    read.embedding = models::checked_embedding(call.vector("embedding"));
    read.named_model = models::named_model(call.text("model"));
    read.k = access::row_limit(call.bigint("k"));
    read.skip = access::rows_skipped(call.bigint("skip"));
    read.alpha = call.real("alpha").between(0, 1);
    read.filter.session_id = call.text("session_id");
    read.filter.agent_id = call.text("agent_id");
    read.filter.kinds = call.texts("kinds");
    read.filter.metadata = filter::conditions_of(call.json("filter"));
    read_times(call.instant("since"), call.instant("until"), read.filter);
    read.min_relevance = call.real("min_relevance").between(0, 1).or_else(0);
    read.half_life = length_of(call.interval("half_life"));
    read.diversity = call.real("diversity").between(0, 1).or_else(0);
    read.context_weight =
        call.real("context_weight").between(0, 1).or_else(context_weight_setting());
    read.fuzzy = call.boolean("fuzzy").or_else(fuzzy_setting());
    read.fusion = call.text("fusion").one_of(fusions).or_else(fusion_setting());
    read.rrf_k = static_cast<double>(call.bigint("rrf_k").between(0, most_rrf_k).or_else(60));
    read.fallback = call.text("fallback").one_of(fallbacks).or_else(read.fallback);
    notice_vector(read);
    return read;
}

} // namespace memory::recall
