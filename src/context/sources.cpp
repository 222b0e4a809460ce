// Asks the rooms of blocks, episodes and facts for what goes into a prompt.
#include "context/sources.h"

#include "access/visible.h"
#include "blocks/pinned.h"
#include "context/sql.h"
#include "facts/ranking.h"
#include "pg/encoding.h"
#include "pg/memory.h"
#include "pg/statement.h"
#include "recall/ranking.h"

extern "C" {
#include "utils/datetime.h"
}

namespace memory::context {

namespace {

using pg::SnapshotOf;

MEMORY_STATEMENT(episodes_by_id, R"(
    SELECT {shown_episode:e} FROM memory.episodes e WHERE {tenant:e} AND e.id = ANY ($3))"_sql,
                 pg::Statement::once);
MEMORY_STATEMENT(newest_episodes, R"(
    SELECT {shown_episode:e} FROM memory.episodes e WHERE {tenant:e} AND {not_expired:e}
    ORDER BY e.occurred_at DESC, e.id DESC LIMIT $3)"_sql);
MEMORY_STATEMENT(facts_by_id, R"(
    SELECT {shown_fact:f} FROM memory.facts f WHERE {tenant:f} AND f.id = ANY ($3))"_sql,
                 pg::Statement::once);

// The scores of what was only lived through fade; what was learnt of it does not.
constexpr double usual_half_life = 30.0 * USECS_PER_DAY;

std::string_view kept_text(std::string_view of_row) { return pg::to_utf8(pg::copied_text(of_row)); }

// In UTC, as 2026-03-01; empty for a time that has no such day.
std::string_view day_of(TimestampTz time) {
    if (TIMESTAMP_NOT_FINITE(time))
        return {};
    return pg::call([time]() -> std::string_view {
        const TimestampTz within = ((time % USECS_PER_DAY) + USECS_PER_DAY) % USECS_PER_DAY;
        const auto days = static_cast<int>((time - within) / USECS_PER_DAY);
        int year = 0;
        int month = 0;
        int day = 0;
        j2date(days + POSTGRES_EPOCH_JDATE, &year, &month, &day);
        return year > 0 ? psprintf("%04d-%02d-%02d", year, month, day) : "";
    });
}

prompt::Memory shown_episode(const pg::Rows &rows, std::uint64_t row) {
    const auto [id, written, text, time, role] =
        rows.get<pg::Uuid, pg::Text, pg::Text, pg::Time, std::optional<pg::Text>>(row);
    return {.id = pg::copied_text(written),
            .kind = "",
            .text = kept_text(text),
            .day = day_of(time),
            .speaker = prompt::speaker_of(role.value_or(""))};
}

prompt::Memory shown_fact(const pg::Rows &rows, std::uint64_t row) {
    const auto [id, written, statement, since] =
        rows.get<pg::Uuid, pg::Text, pg::Text, pg::Time>(row);
    return {.id = pg::copied_text(written),
            .kind = "fact",
            .text = kept_text(statement),
            .day = day_of(since)};
}

// The rows of a statement that has an id in its first column and $3 for ids, in the order of these.
template <class Shown>
Memories in_order(pg::Statement &by_id, const access::Tenant &tenant,
                  std::span<const rank::RowId> ids, Shown &&shown,
                  std::pmr::memory_resource *memory) {
    Memories memories(memory);
    if (ids.empty())
        return memories;
    const pg::Rows rows = by_id.run(SnapshotOf::caller, {tenant, recall::uuids(ids)});
    rank::Positions<rank::RowId> places(memory);
    for (std::uint32_t row = 0; row < rows.size(); ++row)
        places.put(recall::row_id(rows.get<pg::Uuid>(row, 0)), row);
    for (const rank::RowId &id : ids)
        if (const auto place = places.find(id))
            memories.push_back(shown(rows, *place));
    return memories;
}

bool is_among(std::span<const pg_uuid_t> ids, const rank::RowId &id) {
    return std::ranges::any_of(ids,
                               [&](const pg_uuid_t &one) { return recall::row_id(one) == id; });
}

Memories newest(const Question &question, std::span<const pg_uuid_t> others, std::int64_t wanted,
                std::pmr::memory_resource *memory) {
    const auto most = static_cast<std::size_t>(wanted);
    const std::int64_t count = wanted + static_cast<std::int64_t>(others.size());
    const pg::Rows rows = newest_episodes.run(SnapshotOf::caller, {question.tenant, count});
    Memories memories(memory);
    for (std::uint64_t row = 0; row < rows.size() && memories.size() < most; ++row)
        if (!is_among(others, recall::row_id(rows.get<pg::Uuid>(row, 0))))
            memories.push_back(shown_episode(rows, row));
    return memories;
}

recall::Request request_for(const Question &question, std::int64_t count) {
    recall::Request request;
    request.query = question.query;
    request.embedding = question.embedding;
    request.k = count;
    request.half_life = question.half_life;
    if (question.half_life == 0)
        request.by_kind = recall::fading_in(question.tenant.name_space, true);
    if (question.half_life == 0 && !request.by_kind) {
        request.half_life = usual_half_life;
        request.fading = recall::Fading::episodic;
    }
    request.context_weight = recall::context_weight_setting();
    request.fuzzy = recall::fuzzy_setting();
    request.fusion = recall::fusion_setting();
    recall::settle(request, question.tenant.name_space);
    return request;
}

std::pmr::vector<rank::RowId> ids_of(std::span<const facts::RankedFact> facts,
                                     std::pmr::memory_resource *memory) {
    std::pmr::vector<rank::RowId> ids(memory);
    for (const facts::RankedFact &fact : facts)
        ids.push_back(recall::row_id(fact.id));
    return ids;
}

} // namespace

std::int64_t considered(const Question &question) {
    constexpr std::int64_t least = 20;
    constexpr std::int64_t most = 1000;
    constexpr std::int64_t tokens_for_each = 100;
    return question.max_tokens ? std::clamp(*question.max_tokens / tokens_for_each, least, most)
                               : most;
}

Memories pinned(const Question &question, std::pmr::memory_resource *memory) {
    Memories memories(memory);
    for (const blocks::PinnedText &block :
         blocks::pinned_texts(SnapshotOf::caller, question.tenant, memory))
        memories.push_back(
            {.id = pg::to_utf8(block.name), .kind = "block", .text = pg::to_utf8(block.content)});
    return memories;
}

Memories recalled(const Question &question, std::span<const pg_uuid_t> others,
                  std::pmr::memory_resource *memory) {
    const std::int64_t wanted = considered(question);
    if (access::hides_all_episodes(question.tenant))
        return Memories(memory);
    if (!question.query && question.embedding == nullptr)
        return newest(question, others, wanted, memory);
    const recall::Request request =
        request_for(question, wanted + static_cast<std::int64_t>(others.size()));
    std::pmr::vector<rank::RowId> ids(memory);
    {
        pg::TemporaryContext temporary("memory.context");
        recall::Ranking ranking(request, question.tenant, temporary.resource());
        for (const rank::HybridRow &row : ranking.best())
            if (!is_among(others, row.row.order.id))
                ids.push_back(row.row.order.id);
    }
    ids.resize(std::min(ids.size(), static_cast<std::size_t>(wanted)));
    return in_order(episodes_by_id, question.tenant, ids, shown_episode, memory);
}

Memories current_facts(const Question &question, std::pmr::memory_resource *memory) {
    if (access::hides_all_facts(question.tenant))
        return Memories(memory);
    const facts::Request request{question.tenant,
                                 question.query.value_or(""),
                                 question.embedding,
                                 considered(question),
                                 pg::Instant{GetCurrentTransactionStartTimestamp()},
                                 std::nullopt};
    std::pmr::vector<rank::RowId> ids = ids_of(facts::best_facts(request, memory), memory);
    const auto wanted = static_cast<std::size_t>(request.k);
    const bool asked = question.query || question.embedding != nullptr;
    if (asked && ids.size() < wanted) {
        facts::Request newest{question.tenant,  "",          nullptr, request.k,
                              request.valid_at, std::nullopt};
        for (const rank::RowId &id : ids_of(facts::best_facts(newest, memory), memory))
            if (ids.size() < wanted && std::ranges::find(ids, id) == ids.end())
                ids.push_back(id);
    }
    return in_order(facts_by_id, question.tenant, ids, shown_fact, memory);
}

} // namespace memory::context
