// Walks the leaves of a B-tree from left to right.
//
// Every separator of an inner page is the high key of a leaf, too: that of the leaf before the
// least one below it. So the leaves' high keys are all that there are. Entries with the same
// leading columns are neighbours, and a high key stands between its leaf's last entry and the next
// leaf's first: if any entry has its leading columns, one of these two has.
#include "lifecycle/separators.h"

#include "pg/call.h"
#include "pg/memory.h"

extern "C" {
#include "access/nbtree.h"
#include "catalog/pg_type.h"
#include "storage/bufmgr.h"
#include "utils/datum.h"
#include "utils/rel.h"
}

namespace memory::lifecycle {

namespace {

bool is_of_words(Relation index, int column) {
    const auto *attribute = TupleDescAttr(RelationGetDescr(index), column);
    return attribute->attlen < 0 || attribute->atttypid == NAMEOID;
}

// A page as it was under a share lock.
class PageCopy {
  public:
    void read(Relation index, BlockNumber block) {
        pg::call([&] {
            const Buffer buffer = ReadBuffer(index, block);
            LockBuffer(buffer, BUFFER_LOCK_SHARE);
            std::memcpy(bytes_.data, BufferGetPage(buffer), BLCKSZ);
            UnlockReleaseBuffer(buffer);
        });
    }

    Page page() noexcept { return bytes_.data; }
    BTPageOpaque opaque() noexcept { return BTPageGetOpaque(page()); }
    OffsetNumber first() noexcept { return P_FIRSTDATAKEY(opaque()); }
    OffsetNumber last() noexcept {
        return static_cast<OffsetNumber>(PageGetMaxOffsetNumber(page()));
    }
    bool is_dead(OffsetNumber at) noexcept { return ItemIdIsDead(PageGetItemId(page(), at)); }
    IndexTuple entry(OffsetNumber at) noexcept {
        return reinterpret_cast<IndexTuple>(PageGetItem(page(), PageGetItemId(page(), at)));
    }

  private:
    PGAlignedBlock bytes_;
};

BlockNumber first_leaf(Relation index, PageCopy &copy) {
    copy.read(index, BTREE_METAPAGE);
    BlockNumber block = BTPageGetMeta(copy.page())->btm_root;
    while (block != P_NONE) {
        copy.read(index, block);
        if (P_ISLEAF(copy.opaque()))
            break;
        block = P_IGNORE(copy.opaque()) ? copy.opaque()->btpo_next
                                        : BTreeTupleGetDownLink(copy.entry(copy.first()));
    }
    return block;
}

class Walk {
  public:
    Walk(Relation index, std::pmr::memory_resource *memory) : index_(index), waiting_(memory) {}

    bool finds_old();

  private:
    int words_of(IndexTuple separator) const;
    bool have_same(IndexTuple one, IndexTuple other, int columns) const;
    bool pass_entries();
    void pass_high_key();

    Relation index_;
    PageCopy copy_;
    IndexTuple last_ = nullptr; // the last entry so far
    // High keys whose words are not those of the entry before: of one leaf, or of several without
    // an entry.
    std::pmr::vector<IndexTuple> waiting_;
};

// How many leading columns of a separator end with its last one of words.
int Walk::words_of(IndexTuple separator) const {
    int columns = std::min<int>(BTreeTupleGetNAtts(separator, index_),
                                IndexRelationGetNumberOfKeyAttributes(index_));
    while (columns > 0 && !is_of_words(index_, columns - 1))
        --columns;
    return columns;
}

bool Walk::have_same(IndexTuple one, IndexTuple other, int columns) const {
    const TupleDesc row = RelationGetDescr(index_);
    return pg::call([=] {
        for (int n = 0; n < columns; ++n) {
            bool no_value = false;
            bool no_other = false;
            const Datum value = index_getattr(one, n + 1, row, &no_value);
            const Datum other_value = index_getattr(other, n + 1, row, &no_other);
            const auto *column = TupleDescAttr(row, n);
            if (no_value != no_other ||
                (!no_value &&
                 !datum_image_eq(value, other_value, column->attbyval, column->attlen)))
                return false;
        }
        return true;
    });
}

// False if a high key that waits for these entries has words that the first has not, either.
bool Walk::pass_entries() {
    OffsetNumber first = copy_.first();
    OffsetNumber last = copy_.last();
    while (first <= last && copy_.is_dead(first))
        ++first;
    while (last > first && copy_.is_dead(last))
        --last;
    if (first > last)
        return true;
    for (IndexTuple high_key : waiting_)
        if (!have_same(high_key, copy_.entry(first), words_of(high_key)))
            return false;
    waiting_.clear();
    pg::call([&] {
        if (last_ != nullptr)
            pfree(last_);
        last_ = CopyIndexTuple(copy_.entry(last));
    });
    return true;
}

void Walk::pass_high_key() {
    if (P_RIGHTMOST(copy_.opaque()))
        return;
    const IndexTuple high_key = copy_.entry(P_HIKEY);
    const int columns = words_of(high_key);
    if (columns == 0 || (last_ != nullptr && have_same(high_key, last_, columns)))
        return;
    waiting_.push_back(pg::call([=] { return CopyIndexTuple(high_key); }));
}

bool Walk::finds_old() {
    for (BlockNumber block = first_leaf(index_, copy_); block != P_NONE;) {
        pg::check_for_interrupts();
        copy_.read(index_, block);
        if (!P_IGNORE(copy_.opaque())) {
            if (!pass_entries())
                return true;
            pass_high_key();
        }
        block = copy_.opaque()->btpo_next;
    }
    return !waiting_.empty();
}

} // namespace

bool has_words(Relation index) {
    bool found = false;
    for (int n = 0; n < IndexRelationGetNumberOfKeyAttributes(index); ++n)
        found = found || is_of_words(index, n);
    return found;
}

bool has_old_separators(Relation index) {
    pg::TemporaryContext memory("separators of a B-tree");
    const pg::SwitchedContext switched(memory.get());
    return Walk(index, memory.resource()).finds_old();
}

} // namespace memory::lifecycle
