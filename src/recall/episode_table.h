// Table memory.episodes, as recall reads it.
#pragma once

#include "access/scope.h"
#include "schema/relations.h"

namespace memory::recall {

// The index on sessions.
inline constexpr schema::KeyColumn session_key[] = {{"namespace", TEXTOID},
                                                    {"user_id", TEXTOID},
                                                    {"session_id", TEXTOID},
                                                    {"occurred_at", TIMESTAMPTZOID},
                                                    {"id", UUIDOID}};

// Table memory.episodes and its indexes, open.
class EpisodeTable {
  public:
    explicit EpisodeTable(const access::Tenant &tenant);

    const schema::OpenTable &table() const noexcept { return heap_; }
    Relation heap() const noexcept { return heap_.get(); }
    Relation by_text() const noexcept { return by_text_.get(); }
    Relation by_id() const noexcept { return by_id_.get(); }

    // Whether all rows of the tenant are readable, where the caller sees one (access/visible.h).
    bool readable_whole() const noexcept { return readable_whole_; }

  private:
    schema::OpenTable heap_;
    schema::OpenIndex by_text_;
    schema::OpenIndex by_id_;
    bool readable_whole_;
};

} // namespace memory::recall
