// Being told of changes of relations, and of rows of the catalog.
//
// PostgreSQL tells whenever it takes a lock, which may be in the middle of finding out what it
// tells of: what was found is kept only if nothing was told of meanwhile. What is called must not
// throw.
#pragma once

#include "pg/memory.h"

extern "C" {
#include "utils/inval.h"
#include "utils/memutils.h"
}

namespace memory::pg {

// From the first call on `changed` is called with each relation that changes; InvalidOid: any.
template <void (*changed)(Oid) noexcept>
void watch_relations() {
    static constinit bool watching = false;
    if (std::exchange(watching, true)) [[likely]]
        return;
    call([] {
        CacheRegisterRelcacheCallback([](Datum, Oid relation) { changed(relation); }, Datum{0});
    });
}

// The same where a row changes that may be in the system cache of this number.
template <void (*changed)() noexcept, int cache>
void watch_rows() {
    static constinit bool watching = false;
    if (std::exchange(watching, true)) [[likely]]
        return;
    call([] {
        CacheRegisterSyscacheCallback(
            cache, [](Datum, int, std::uint32_t) { changed(); }, Datum{0});
    });
}

// The backend's only `Known`, which is what it remembers of the catalog: made with a memory context
// that stays when it is first asked for, and from then on told of changes by its changed(Oid), for
// rows of these system caches with InvalidOid.
template <class Known, int... caches>
class Remembered {
  public:
    static Known &get() {
        if (known_ == nullptr) [[unlikely]]
            make();
        return *known_;
    }

  private:
    static void make() {
        known_ = make_in<Known>(TopMemoryContext, TopMemoryContext);
        watch_relations<changed>();
        (watch_rows<changed_all, caches>(), ...);
    }
    static void changed(Oid relation) noexcept { known_->changed(relation); }
    static void changed_all() noexcept { known_->changed(InvalidOid); }

    static inline constinit Known *known_ = nullptr;
};

} // namespace memory::pg
