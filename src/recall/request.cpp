// What is special about the arguments of recall_scored().
#include "recall/request.h"

#include "retention/rules.h"

namespace memory::recall {

void notice_vector(const Request &request) {
    if (!request.query || request.embedding != nullptr)
        return;
    std::string_view text = *request.query;
    constexpr const char *blanks = " \t\r\n\f\v";
    text.remove_prefix(text.find_first_not_of(blanks));
    text = text.substr(0, text.find_last_not_of(blanks) + 1);
    if (text.front() != '[' || text.back() != ']' ||
        text.find_first_not_of("[]0123456789+-.,eE \t\r\n") != text.npos ||
        text.find_first_of("0123456789") == text.npos)
        return;
    pg::call([] {
        ereport(NOTICE, (errmsg("query is a vector, and is searched for as words"),
                         errhint("Pass a vector as embedding: recall_scored(embedding => ...).")));
    });
}

std::optional<KindFading> fading_in(std::string_view name_space, bool usual) {
    const retention::Rules &rules = retention::rules_of(name_space);
    const double others = retention::microseconds(rules.of(retention::Thing::episode).half_life);
    const std::span<const retention::KindRule> said = rules.kinds();
    auto *kinds = static_cast<KindFading::Kind *>(
        pg::call([&] { return palloc((said.size() + 1) * sizeof(KindFading::Kind)); }));
    std::size_t count = 0;
    bool some = others > 0;
    bool usual_said = others > 0;
    for (const retention::KindRule &one : said) {
        kinds[count] = {pg::copied_text(one.kind), retention::microseconds(one.rule.half_life)};
        some = some || kinds[count++].half_life > 0;
        usual_said = usual_said || one.kind == fading_kind;
    }
    if (!some && !(usual && usual_said))
        return std::nullopt;
    if (usual && !usual_said)
        kinds[count++] = {fading_kind,
                          retention::microseconds(retention::usual_fading.rule.half_life)};
    return KindFading{{kinds, count}, others};
}

double length_of(const pg::Given<Interval> &given) {
    return retention::microseconds(given.positive().optional());
}

void settle(Request &request, std::string_view name_space) {
    if (request.half_life == 0 && !request.by_kind)
        request.by_kind = fading_in(name_space, false);
    const models::Settled settled = models::settled(
        {request.query, request.embedding, request.named_model, request.alpha}, name_space);
    request.model = settled.model.name;
    request.embedding = settled.embedding;
    if (settled.alpha || request.fusion != rank::Fusion::rrf_replicated)
        request.alpha = settled.alpha.value_or(0);
    else
        request.alpha = models::weight_of(settled.model);
}

void read_times(std::optional<pg::Instant> since, std::optional<pg::Instant> until, Filter &read) {
    if (since && until && since->time > until->time)
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "since must not be after until");
    read.since = since;
    read.until = until;
}

} // namespace memory::recall
