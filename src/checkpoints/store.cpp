// The row that writers of a store queue on.
#include "checkpoints/store.h"

#include "checkpoints/sql.h"
#include "pg/statement.h"

namespace memory::checkpoints {

namespace {

MEMORY_STATEMENT(take_numbers, R"(
    INSERT INTO memory.checkpoint_stores AS s (namespace, user_id, store, last_number)
    VALUES ($1, $2, $3, $4)
    ON CONFLICT (namespace, user_id, store) DO UPDATE
    SET last_number = s.last_number + excluded.last_number
    RETURNING s.last_number)"_sql);

} // namespace

std::int64_t lock(const Store &store, std::int64_t count) {
    const pg::Rows rows = take_numbers.write({store, count}, "checkpoint_stores");
    return rows.get<pg::Int8>(0) - count + 1;
}

} // namespace memory::checkpoints
