// The tables of conversations (docs/conversations.md).
#include "conversations/tables.h"

#include "conversations/run_tables.h"
#include "conversations/sql.h"
#include "pg/statement.h"

namespace memory::conversations {

namespace {

constexpr schema::Table tables[] = {profiles_table, policies_table, runs_table, summaries_table};

// Of any user. What else is kept of a user has a session.
MEMORY_STATEMENT(find_named_user, "{named_user:profiles}"_sql);

} // namespace

constinit const schema::Room room{"conversations", tables, nullptr, &find_named_user};

} // namespace memory::conversations
