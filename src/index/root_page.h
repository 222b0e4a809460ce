// A tenant's root page: what it says, checked, and how that is changed.
#pragma once

#include "index/codec/bytes.h"
#include "index/directory.h"

namespace memory::index {

// A tenant's root page, and a hash of the tenant's key, as its leaf has them.
struct TenantRoot {
    BlockNumber block;
    std::uint32_t tenant;
};
std::uint32_t hash_of(Key key) noexcept;

// The root page, whose head and runs are what was written; of a tenant that is known, that
// tenant's.
LockedPage lock_root(Relation index, BlockNumber root, Lock lock);
LockedPage lock_root(Relation index, const TenantRoot &root, Lock lock);

// The runs of a root page, copied from it.
struct Runs {
    Runs() = default;
    explicit Runs(std::span<const Run> runs) : count(runs.size()) {
        std::copy(runs.begin(), runs.end(), all.begin());
    }

    std::array<Run, most_runs> all;
    std::size_t count = 0;

    std::span<const Run> span() const noexcept { return std::span(all).first(count); }
};

// The runs on a page that lock_root() gave; and as they are now.
std::span<const Run> runs_on(const LockedPage &root) noexcept;
Runs read_runs(Relation index, BlockNumber root);

// The generation of a log now.
std::uint32_t log_generation(Relation index, BlockNumber root);

// Replaces what is behind the head of a root page's copy; `records` may lie on the page itself.
void replace_runs(Page copy, std::span<const Run> runs, codec::Bytes records);

// For whatever has changed the head or a run of a root page's copy: the last thing that is done
// to them.
void seal_root(Page copy) noexcept;

} // namespace memory::index
