// memory.index_stats and memory.verify_index: what is in an index, and whether it is sound.
#include "index/am.h"
#include "index/row.h"
#include "index/tenant.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "pg/rows.h"

#include <unordered_set>

extern "C" {
#include "access/tableam.h"
#include "catalog/index.h"
#include "utils/acl.h"
}

namespace memory::index {

namespace {

// What a walk over the whole index counts.
struct Counts {
    std::int64_t tenants = 0;
    std::int64_t tiny_tenants = 0;
    std::int64_t documents = 0;
    std::int64_t tokens = 0;
    std::int64_t record_bytes = 0;
    std::int64_t leaf_pages = 0;
    std::int64_t log_pages = 0;
};

std::uint64_t tid_number(const codec::Tid &tid) {
    return std::uint64_t{tid.block} << 16 | tid.offset;
}

// Walks the directory from left to right and every log, checking what it meets; visit(document)
// sees every document. Keys must ascend, records must be readable, logs must lead to their root
// page.
template <class Visit>
class Inspection {
  public:
    Inspection(Relation index, std::pmr::memory_resource *memory, Visit visit)
        : index_(index), roots_(memory), last_key_(memory), visit_(visit) {}

    Counts run() {
        LockedPage leaf = first_leaf(index_, Lock::share);
        for (;;) {
            inspect_leaf(leaf);
            const BlockNumber next = leaf.tail().next;
            leaf.give_back();
            for (const BlockNumber root : roots_)
                inspect_log(root);
            roots_.clear();
            if (next == InvalidBlockNumber)
                return counts_;
            pg::check_for_interrupts();
            leaf = LockedPage(index_, next, Lock::share, Kind::leaf);
        }
    }

  private:
    void inspect_leaf(const LockedPage &leaf) {
        ++counts_.leaf_pages;
        const OffsetNumber last = last_item(leaf.page());
        for (OffsetNumber at = first_data(leaf); at <= last;) {
            const TenantItem &tenant = tenant_at(index_, leaf, at);
            const Key key = key_of(tenant);
            if (counts_.tenants > 0 && key <= last_key_)
                throw_corrupt(index_, leaf.block(), "tenants are out of order");
            last_key_ = key;
            ++counts_.tenants;
            if (tenant.root != InvalidBlockNumber)
                roots_.push_back(tenant.root);
            else
                ++counts_.tiny_tenants;
            reading(index_, leaf.block(), [&] {
                for (OffsetNumber i = 1; i <= tenant.records; ++i)
                    inspect_record(
                        leaf.block(),
                        read_record(record_at(index_, leaf, static_cast<OffsetNumber>(at + i))));
            });
            at = static_cast<OffsetNumber>(at + 1 + tenant.records);
        }
    }

    void inspect_log(BlockNumber root) {
        LogWalk walk(index_, root);
        while (const LockedPage *page = walk.next()) {
            ++counts_.log_pages;
            reading(index_, page->block(), [&] {
                codec::RecordReader records(records_of(*page));
                while (const auto record = records.next())
                    inspect_record(page->block(), *record);
            });
        }
    }

    void inspect_record(BlockNumber block, const codec::Record &record) {
        codec::RecordTerms terms(record);
        std::pmr::string before(last_key_.get_allocator());
        while (const auto term = terms.next()) {
            if (term->term <= before)
                throw_corrupt(index_, block, "the terms of a record are out of order");
            before = term->term;
        }
        counts_.record_bytes += static_cast<std::int64_t>(record.entries.size());
        if (record.continued)
            return;
        ++counts_.documents;
        counts_.tokens += record.document.length;
        visit_(record.document);
    }

    Relation index_;
    std::pmr::vector<BlockNumber> roots_;
    std::pmr::string last_key_;
    Visit visit_;
    Counts counts_;
};

// The index of a call, open, and known to be one of ours that its caller may look into.
class InspectedIndex {
  public:
    explicit InspectedIndex(Oid id) : relation_(id, AccessShareLock) {
        if (get()->rd_indam == nullptr || get()->rd_indam->ambuild != build)
            throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "\"%s\" is not a recall index",
                            RelationGetRelationName(get()));
        const Oid owner = get()->rd_rel->relowner;
        if (!pg::call([owner] { return has_privs_of_role(GetUserId(), owner); }))
            throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for index \"%s\"",
                            RelationGetRelationName(get()))
                .hint("The owner of the index may look into it.");
    }

    Relation get() const noexcept { return relation_.get(); }

  private:
    pg::OpenRelation relation_;
};

using Tids = std::pmr::unordered_set<std::uint64_t>;

// Counts the rows of the table that have no document: rows that a snapshot sees which was taken
// before the documents were read, and whose scope has no NULL.
class MissingRows {
  public:
    MissingRows(Relation index, const Tids &known) : known_(known), scope_(Columns(index).scope) {}

    std::int64_t count(Relation heap, Relation index, Snapshot snapshot);

  private:
    static void see(Relation index, ItemPointer tid, Datum *values, bool *nulls, bool alive,
                    void *state);

    const Tids &known_;
    int scope_;
    std::int64_t missing_ = 0;
};

void MissingRows::see(Relation, ItemPointer tid, Datum *, bool *nulls, bool, void *state) {
    auto *rows = static_cast<MissingRows *>(state);
    const bool scoped = std::none_of(nulls, nulls + rows->scope_, [](bool null) { return null; });
    if (scoped && !rows->known_.contains(tid_number(to_tid(*tid))))
        ++rows->missing_;
}

std::int64_t MissingRows::count(Relation heap, Relation index, Snapshot snapshot) {
    pg::call([&] {
        IndexInfo *info = BuildIndexInfo(index);
        info->ii_Concurrent = true; // by the snapshot, without waiting for writers
        info->ii_Unique = false;
        info->ii_ExclusionOps = nullptr;
        TableScanDesc scan = table_beginscan_strat(heap, snapshot, 0, nullptr, true, true);
        table_index_build_scan(heap, index, info, true, false, see, this, scan);
    });
    return missing_;
}

} // namespace

MEMORY_FUNCTION(memory_index_stats) {
    const InspectedIndex index(DatumGetObjectId(arguments.datum(0)));
    pg::TemporaryContext memory("recall index statistics");
    const Counts counts =
        Inspection(index.get(), memory.resource(), [](const codec::Document &) {}).run();
    const auto pages =
        static_cast<std::int64_t>(pg::call([&] { return RelationGetNumberOfBlocks(index.get()); }));
    const std::array values{Int64GetDatum(counts.tenants),
                            Int64GetDatum(counts.tiny_tenants),
                            Int64GetDatum(counts.documents),
                            Int64GetDatum(counts.tokens),
                            Int64GetDatum(counts.leaf_pages),
                            Int64GetDatum(counts.log_pages),
                            Int64GetDatum(pages),
                            Int64GetDatum(counts.record_bytes)};
    constexpr std::array<bool, values.size()> nulls{};
    return pg::composite_datum(arguments, values, nulls);
}

MEMORY_FUNCTION(memory_verify_index) {
    pg::ResultSet problems(arguments);
    const InspectedIndex index(DatumGetObjectId(arguments.datum(0)));
    const Relation relation = index.get();
    const pg::OpenRelation heap(relation->rd_index->indrelid, AccessShareLock);
    const pg::HeldSnapshot snapshot(pg::call([] { return GetTransactionSnapshot(); }));
    pg::TemporaryContext memory("recall index verification");
    Tids known(memory.resource());
    Inspection(relation, memory.resource(), [&](const codec::Document &document) {
        if (!known.insert(tid_number(document.tid)).second)
            problems.add(pg::to_datum("a row has two documents"));
    }).run();
    const std::int64_t missing =
        MissingRows(relation, known).count(heap.get(), relation, snapshot.get());
    if (missing > 0) {
        std::array<char, 64> problem{};
        std::snprintf(problem.data(), problem.size(), "%lld rows of the table have no document",
                      static_cast<long long>(missing));
        problems.add(pg::to_datum(std::string_view(problem.data())));
    }
    return Datum{0};
}

} // namespace memory::index
