// ambuild and ambuildempty.
#include "index/am.h"
#include "index/meta.h"
#include "index/options.h"
#include "index/record_sort.h"
#include "index/row.h"
#include "index/upkeep.h"
#include "pg/entry.h"
#include "pg/error.h"
#include "text/server.h"

extern "C" {
#include "access/tableam.h"
#include "catalog/index.h"
}

namespace memory::index {

namespace {

MetaPage meta_for(Relation index) {
    const Options options = options_of(index);
    MetaPage meta{};
    meta.scope_columns = static_cast<std::uint16_t>(Columns(index).scope);
    meta.k1 = options.k1;
    meta.b = options.b;
    meta.fingerprint = text::fingerprint_for(dictionary_of(index));
    return meta;
}

// The last column is the text; those before it are the scope.
void check_columns(Relation index) {
    if (IndexRelationGetNumberOfAttributes(index) != IndexRelationGetNumberOfKeyAttributes(index))
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED, "a recall index has no INCLUDE columns");
    const int last = IndexRelationGetNumberOfKeyAttributes(index) - 1;
    if (scope_type(index->rd_opcintype[last]) != TEXTOID)
        throw pg::Error(ERRCODE_DATATYPE_MISMATCH,
                        "the last column of a recall index is the text to search")
            .hint("Name the scope columns first, then the text column.");
}

// Rows come in the order of the table and leave by tenant, then in the order of their tids.
struct Build {
    Build(Relation index_, MemoryContext memory, RecordSort &sort_, MemoryContext per_row_)
        : index(index_), rows(index_, memory), sort(sort_), per_row(per_row_) {}

    Relation index;
    RowWriter rows;
    RecordSort &sort;
    MemoryContext per_row;
    std::uint64_t added = 0;
};

void add_row(Relation, ItemPointer tid, Datum *values, bool *nulls, bool, void *state) {
    pg::entry([&] {
        auto *building = static_cast<Build *>(state);
        {
            const pg::SwitchedContext switched(building->per_row);
            ScopeKey key;
            const std::span<const codec::Bytes> records =
                building->rows.write(values, nulls, *tid, key);
            for (const codec::Bytes record : records)
                building->sort.put(key.bytes(), to_tid(*tid), record);
            building->added += records.empty() ? 0 : 1;
        }
        pg::call([&] { MemoryContextReset(building->per_row); });
    });
}

// The tenants' records, one tenant after another, into the index.
class TenantBuild {
  public:
    TenantBuild(Relation index, std::pmr::memory_resource *memory)
        : index_(index), memory_(memory), key_(memory), records_(memory) {}

    void add(const SortedRecord &sorted) {
        if (!begun_ || sorted.key != key_) {
            end();
            begun_ = true;
            key_ = sorted.key;
        }
        if (inverted_)
            return invert(sorted.record);
        records_.emplace_back(sorted.record.begin(), sorted.record.end());
        if (records_.size() < documents_to_seal)
            return;
        inverted_.emplace(memory_);
        for (const codec::ByteBuffer &record : records_)
            invert(record);
        records_.clear();
    }

    void end() {
        if (inverted_)
            write();
        inverted_.reset();
        for (const codec::ByteBuffer &record : records_)
            append(index_, key_, record);
        records_.clear();
    }

  private:
    void invert(codec::Bytes bytes) {
        const codec::Record record = read_record(bytes);
        const std::size_t most = static_cast<std::size_t>(maintenance_work_mem) * 1024;
        // Not between the records of one document.
        if (!inverted_->documents.empty() &&
            inverted_->documents.back().row.tid != record.document.tid &&
            (inverted_->terms.bytes() >= most ||
             inverted_->documents.size() == segment::most_documents)) {
            write();
            inverted_.emplace(memory_);
        }
        inverted_->add(record);
    }

    void write() {
        const BlockNumber root = make_root(index_, key_);
        inverted_->terms.finish();
        publish(index_, root, write_run(index_, root, inverted_->documents, inverted_->terms));
    }

    Relation index_;
    std::pmr::memory_resource *memory_;
    bool begun_ = false;
    std::pmr::string key_;
    std::pmr::vector<codec::ByteBuffer> records_; // while they are few
    std::optional<Inverted> inverted_;
};

void write_sorted(Relation index, RecordSort &sort) {
    pg::TemporaryContext memory("recall index build of a tenant");
    TenantBuild tenants(index, memory.resource());
    sort.finish();
    while (const std::optional<SortedRecord> sorted = sort.next()) {
        pg::check_for_interrupts();
        tenants.add(*sorted);
    }
    tenants.end();
}

} // namespace

IndexBuildResult *build(Relation heap, Relation index, IndexInfo *info) {
    return pg::entry([&] {
        check_columns(index);
        create_meta(index, MAIN_FORKNUM, meta_for(index));
        pg::TemporaryContext per_row("recall index build");
        RecordSort sort;
        Build state(index, CurrentMemoryContext, sort, per_row.get());
        const double rows = pg::call([&] {
            return table_index_build_scan(heap, index, info, true, true, add_row, &state, nullptr);
        });
        write_sorted(index, sort);
        auto *result = static_cast<IndexBuildResult *>(
            pg::call([] { return palloc0(sizeof(IndexBuildResult)); }));
        result->heap_tuples = rows;
        result->index_tuples = static_cast<double>(state.added);
        return result;
    });
}

void build_empty(Relation index) {
    pg::entry([&] { create_meta(index, INIT_FORKNUM, meta_for(index)); });
}

} // namespace memory::index
