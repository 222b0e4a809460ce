// The index of codes that a table of vectors has: by namespace, user_id and model (docs/codes.md).
#pragma once

#include "schema/relations.h"

#include <optional>

namespace memory::models {

// Open as long as this lives.
class CodeIndex {
  public:
    // memory.`name`, a literal, which is to be on this table.
    CodeIndex(const schema::OpenTable &vectors, const char *name);

    // nullptr where there is none, or another than is meant, or one that a snapshot of this
    // transaction may not use.
    Relation get() const noexcept { return index_ && usable_ ? index_->get() : nullptr; }

  private:
    std::optional<pg::OpenRelation> index_;
    bool usable_ = false;
};

} // namespace memory::models
