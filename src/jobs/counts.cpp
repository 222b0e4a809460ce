// memory.job_counts.
#include "jobs/counts.h"

#include "jobs/sql.h"
#include "pg/statement.h"

extern "C" {
#include "miscadmin.h"
}

namespace memory::jobs {

namespace {

constexpr int shards = 16;

MEMORY_STATEMENT(count, R"(
    INSERT INTO memory.job_counts AS c (namespace, task, shard, done, dropped)
    VALUES ($1, $2, $3, 1, $4)
    ON CONFLICT (namespace, task, shard) DO UPDATE
    SET done = c.done + 1, dropped = c.dropped + excluded.dropped)"_sql);

} // namespace

void count_done(std::string_view name_space, Task task, Dropped dropped) {
    count.write(
        {name_space, rules::word_of(task), static_cast<std::int32_t>(MyProcPid % shards), dropped},
        "job_counts");
}

} // namespace memory::jobs
