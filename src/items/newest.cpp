// Finds the newest items under a prefix without reading all of the prefix, nor all of the user.
//
// There are two ways: along items_by_place, all that is under the prefix, to be sorted; or along
// items_by_update, the newest first, until enough of them are under the prefix. Either may be long
// where the other is short, and no statistics tell: so both are tried with a limit, which grows
// until one of them ends. That costs a fixed number of times what the shorter one does.
#include "items/newest.h"

#include "access/direct.h"
#include "items/rows.h"
#include "items/sql.h"
#include "pg/statement.h"

namespace memory::items {

namespace {

using pg::SnapshotOf;

// $12 how many are left out, $13 how many come.
MEMORY_STATEMENT(find_newest, R"(
    SELECT {item:i}, NULL::float8, NULL::float8 FROM memory.items i
    WHERE {tenant:i} AND {by_update:i} AND {fits:i} AND {not_expired:i}
    {newest:i} OFFSET $12 LIMIT $13)"_sql,
                 pg::Statement::for_each_values);

// The same by all that is under the prefix; the inner OFFSET keeps the order out of it.
MEMORY_STATEMENT(sort_all, R"(
    SELECT {item:i}, NULL::float8, NULL::float8
    FROM (SELECT i.* FROM memory.items i WHERE {chosen:i} AND {not_expired:i} OFFSET 0) i
    {newest:i} OFFSET $12 LIMIT $13)"_sql,
                 pg::Statement::for_each_values);

// $5 where counting ends.
MEMORY_STATEMENT(count_under, R"(
    SELECT count(*) FROM (SELECT FROM memory.items i
        WHERE {tenant:i} AND {between:i,$3,$4} LIMIT $5) i)"_sql,
                 pg::Statement::once);

// $12 how many of the user's newest, whether they are chosen or not.
MEMORY_STATEMENT(walk, R"(
    SELECT i.id, (({fits:i}) AND {not_expired:i}) FROM memory.items i
    WHERE {tenant:i} AND {by_update:i} {newest:i} LIMIT $12)"_sql,
                 pg::Statement::once);

// Beyond this many rows sorting is not what takes the time.
constexpr std::int64_t most_walked_for = 10'000;
constexpr std::int64_t first_limit = 200;
constexpr std::int64_t growth = 8;

bool has_fewer_than(std::int64_t limit, const Page &page) {
    pg::ContextResource memory(CurrentMemoryContext);
    const place::Range range = place::under(page.choice.prefix, &memory);
    const pg::Rows rows = access::reading(count_under, page.tenant)
                              .run(SnapshotOf::caller, {page.tenant, pg::bytes_of(range.from),
                                                        pg::bytes_of(range.to), limit});
    return rows.get<pg::Int8>(0) < limit;
}

// The first of the chosen among so many of the user's newest; nothing where that is not known.
std::optional<std::pmr::vector<pg_uuid_t>> walked(std::int64_t limit, const Page &page,
                                                  std::pmr::memory_resource *memory) {
    const auto wanted = static_cast<std::size_t>(page.skip + page.k);
    std::pmr::vector<pg_uuid_t> ids(memory);
    const pg::Rows rows = access::reading(walk, page.tenant)
                              .run(SnapshotOf::caller, {page.tenant, page.choice, limit});
    for (std::uint64_t row = 0; row < rows.size() && ids.size() < wanted; ++row) {
        const auto [id, chosen] = rows.get<pg::Uuid, pg::Bool>(row);
        if (chosen)
            ids.push_back(id);
    }
    if (ids.size() < wanted && static_cast<std::int64_t>(rows.size()) == limit)
        return std::nullopt;
    const auto skipped = std::min(static_cast<std::size_t>(page.skip), ids.size());
    ids.erase(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(skipped));
    return ids;
}

} // namespace

void add_newest(const Page &page, pg::ResultSet &result) {
    const auto add = [&](pg::Statement &statement) {
        result.add_from(access::reading(statement, page.tenant), SnapshotOf::caller,
                        {page.tenant, page.choice, page.skip, page.k});
    };
    if (page.choice.prefix.empty())
        return add(find_newest);
    if (page.skip + page.k > most_walked_for)
        return add(sort_all);
    pg::ContextResource memory(CurrentMemoryContext);
    for (std::int64_t limit = std::max(first_limit, 8 * (page.skip + page.k));; limit *= growth) {
        if (has_fewer_than(limit, page))
            return add(sort_all);
        if (const auto ids = walked(limit, page, &memory))
            return add_rows(page.tenant, *ids, result, [](std::size_t) {
                return pg::Values{std::optional<double>(), std::optional<double>()};
            });
    }
}

} // namespace memory::items
