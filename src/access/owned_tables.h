// The tables that granting and protecting are about, and the scripts that change them.
#pragma once

#include "pg/handles.h"
#include "pg/spi.h"

namespace memory::access {

// The owner of memory.episodes.
Oid tables_owner();

// The owner of the tables, and what the caller may do about them.
struct Ownership {
    Oid owner;
    const char *quoted_owner;
    bool acts_as_owner;
    bool is_admin;
};

// An admin is a role that may grant everything, as grant_access makes one: a grant option on
// something makes none. Needs a live Spi.
Ownership ownership();

// Acts as the owner while it lives, for an admin that is not the owner; for others it does nothing,
// and statements find out what they may. For fixed statements that run no trigger and look up no
// name by the caller's search_path.
class InOwnersPlace {
  public:
    explicit InOwnersPlace(const Ownership &tables) {
        if (tables.is_admin && !tables.acts_as_owner)
            acting_.emplace(tables.owner);
    }

  private:
    std::optional<pg::ActingAs> acting_;
};

// An error unless the caller may write to `table`, a table that all users share. `what` begins the
// hint; it says what only the owner and admins do there.
void check_may_write_shared(const char *table, const char *what);

// An error unless the caller may do jobs: a worker, an admin or the owner.
void check_may_do_jobs();

// For a table that all users share and that has just been made: revokes from roles that are no
// admins what the owner's default privileges have granted them beyond SELECT. Needs a live Spi.
void keep_for_admins(const char *table);

// Adds a statement, given in parts.
void add(std::pmr::string &script, std::initializer_list<std::string_view> parts);

} // namespace memory::access
