// Which of a tenant's episodes a call is about, in SQL.
#pragma once

#include "access/scope.h"
#include "pg/statement.h"
#include "recall/request.h"
#include "recall/sql.h"

namespace memory::recall {

// As $3 to $10, for the fragment {passes:e}.
inline void bind(pg::Values &to, const Filter &filter) {
    to.add(filter.session_id);
    to.add(filter.agent_id);
    to.add(filter.kinds);
    to.add(filter.metadata);
    to.add(filter.since);
    to.add(filter.until);
}

} // namespace memory::recall
