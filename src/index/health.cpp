// Whether an index can be read, as far as its meta page says.
#include "index/health.h"

#include "index/am.h"
#include "index/meta.h"
#include "index/payload.h"

namespace memory::index {

bool is_recall(Relation index) noexcept {
    return index->rd_indam != nullptr && index->rd_indam->ambuild == build;
}

bool has_current_rules(Relation index) {
    forget_meta(index); // what is on its page now
    return read_meta(index).fingerprint == rules_of(index);
}

} // namespace memory::index
