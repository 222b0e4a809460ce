// Walks the directory and asks each tenant's root page; of the log, whether it is empty.
#include "index/remains.h"

#include "index/tenant.h"
#include "pg/memory.h"

namespace memory::index {

namespace {

bool has_remains(Relation index, const TenantRoot &root) {
    LogWalk walk(index, root);
    for (const Run &run : walk.runs().span())
        if (run.state == RunState::retired || (run.state == RunState::live && run.dead > 0))
            return true;
    // A packed run may have lost all that it had.
    if (std::any_of(walk.runs().span().begin(), walk.runs().span().end(),
                    [](const Run &run) { return run.documents > run.dead; }))
        return false;
    while (const LockedPage *page = walk.next())
        if (!records_of(index, *page).empty())
            return false;
    return true;
}

// Whether a leaf has a tenant that is nothing but a key; `roots` gets the larger ones.
bool has_bare_key(Relation index, const LockedPage &leaf, std::pmr::vector<TenantRoot> &roots) {
    const OffsetNumber last = last_item(leaf.page());
    for (OffsetNumber at = first_data(leaf); at <= last; at = end_of_tenant(index, leaf, at)) {
        const TenantItem &tenant = tenant_at(index, leaf, at);
        if (tenant.root != InvalidBlockNumber)
            roots.push_back({tenant.root, hash_of(key_of(tenant))});
        else if (tenant.records == 0)
            return true;
    }
    return false;
}

} // namespace

bool has_remains(Relation index) {
    pg::TemporaryContext memory("recall index remains");
    std::pmr::vector<TenantRoot> roots(memory.resource());
    LockedPage leaf = first_page(index, 0, Lock::share);
    for (;;) {
        roots.clear();
        if (has_bare_key(index, leaf, roots))
            return true;
        const RightLink next(index, leaf);
        leaf.give_back();
        for (const TenantRoot &root : roots) {
            pg::check_for_interrupts();
            if (has_remains(index, root))
                return true;
        }
        if (!next.exists())
            return false;
        leaf = next.follow(Lock::share);
    }
}

bool is_free_page(Page page, BlockNumber block) {
    return block != meta_block && tail_of(page).mark == mark_of(block) &&
           tail_of(page).kind == Kind::free;
}

} // namespace memory::index
