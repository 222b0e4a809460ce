// The meta page: what an index is, and where its directory begins.
#pragma once

#include "index/page.h"
#include "rank/bm25.h"

namespace memory::index {

// A new index: its meta page and an empty directory, in `fork`.
void create_meta(Relation index, ForkNumber fork, const MetaPage &meta);

// What the meta page says. Kept in the relation's cache; `directory_root` may be older than the
// newest, which then is reached through right links. An error when the format is not ours, or the
// page not what was written.
MetaPage read_meta(Relation index);

rank::Bm25Parameters parameters_of(const MetaPage &meta);

// The meta page itself, exclusively: for a change of the directory's root.
LockedPage lock_meta(Relation index);

// Changes where the directory begins.
void set_directory(MetaPage &meta, BlockNumber root, std::uint32_t height);

// Forgets what was cached, after a change.
void forget_meta(Relation index) noexcept;

} // namespace memory::index
