// memory.index_stats and memory.verify_index: what is in an index, and whether it is sound.
#include "index/health.h"
#include "index/meta.h"
#include "index/packed.h"
#include "index/segment_pages.h"
#include "index/table_check.h"
#include "pg/function.h"
#include "pg/handles.h"
#include "pg/memory.h"
#include "pg/rows.h"

extern "C" {
#include "catalog/pg_authid.h"
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
    std::int64_t segments = 0;
    std::int64_t segment_pages = 0;
    std::int64_t retired_pages = 0;
    std::int64_t free_pages = 0;
    std::int64_t lost_pages = 0;
};

// Walks the directory from left to right, level by level, and every log and segment, checking what
// it meets; visit(tid, content) sees every document or code. Keys must ascend, records must be
// readable, and what leads to a page must be what the page says.
template <class Visit>
class Inspection {
  public:
    Inspection(Relation index, std::pmr::memory_resource *memory, Visit visit)
        : index_(index), payload_(payload_of(index)), memory_(memory), roots_(memory),
          last_key_(memory), known_(memory), visit_(visit) {}

    Counts run() {
        forget_meta(index_); // what is on its page now
        for (std::uint32_t level = read_meta(index_).directory_height; level > 0; --level)
            inspect_level(level);
        LockedPage leaf = first_page(index_, 0, Lock::share);
        for (;;) {
            know(leaf.block());
            inspect_leaf(leaf);
            const RightLink next(index_, leaf);
            leaf.give_back();
            for (const TenantRoot &root : roots_)
                inspect_tenant(root);
            roots_.clear();
            if (!next.exists())
                return counts_;
            pg::check_for_interrupts();
            leaf = next.follow(Lock::share);
        }
    }

    // Afterwards: counts the pages that run() has not come to.
    Counts count_others() {
        const BlockNumber end = pg::call([this] { return RelationGetNumberOfBlocks(index_); });
        known_.resize(std::max<std::size_t>(known_.size(), end));
        for (BlockNumber block = meta_block + 1; block < end; ++block) {
            if (known_[block])
                continue;
            pg::check_for_interrupts();
            const std::optional<PageTail> tail = peek(index_, block, nullptr);
            if (!tail || tail->kind == Kind::free)
                ++counts_.free_pages;
            else
                ++counts_.lost_pages;
        }
        return counts_;
    }

  private:
    void know(BlockNumber block) {
        if (block >= known_.size())
            known_.resize(block + std::size_t{1});
        known_[block] = true;
    }

    // A level of inner pages, and what they lead to. No child is locked under its parent: writers
    // lock them the other way round.
    void inspect_level(std::uint32_t level) {
        LockedPage page = first_page(index_, level, Lock::share);
        for (;;) {
            know(page.block());
            const RightLink next(index_, page);
            const std::pmr::vector<Downlink> children = downlinks(index_, page, memory_);
            page.give_back();
            for (const Downlink &child : children)
                child.follow(index_, level - 1, Lock::share);
            if (!next.exists())
                return;
            pg::check_for_interrupts();
            page = next.follow(Lock::share);
        }
    }

    // The pages of a run follow each other.
    void inspect_pages(BlockNumber root, const Run &run) {
        BlockNumber block = run.first;
        BlockNumber last = InvalidBlockNumber;
        for (std::uint32_t left = run.pages; left > 0; --left) {
            pg::check_for_interrupts();
            know(block);
            last = block;
            const LockedPage page(index_, block, Lock::share);
            if (page.tail().owner() != root)
                throw_corrupt(index_, block, "a page of another tenant in a run");
            block = page.tail().next;
        }
        if (last != run.last)
            throw_corrupt(index_, run.first, "a run does not end where its root page says");
    }

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
                roots_.push_back({tenant.root, hash_of(key)});
            else
                ++counts_.tiny_tenants;
            reading(index_, leaf.block(), [&] {
                for (OffsetNumber i = 1; i <= tenant.records; ++i)
                    inspect_records(
                        leaf.block(), hash_of(key),
                        stored_record(payload_,
                                      record_at(index_, leaf, static_cast<OffsetNumber>(at + i)))
                            .bytes);
            });
            at = end_of_tenant(index_, leaf, at);
        }
    }

    void inspect_tenant(const TenantRoot &root) {
        LogWalk walk(index_, root);
        const Runs runs = walk.runs();
        while (const LockedPage *page = walk.next()) {
            ++counts_.log_pages;
            know(page->block());
            reading(index_, page->block(), [&] {
                inspect_records(page->block(), root.tenant, records_of(index_, *page));
            });
        }
        for (const Run &run : runs.span()) {
            inspect_pages(root.block, run);
            if (run.state == RunState::retired)
                counts_.retired_pages += run.pages;
            else if (run.state == RunState::packed)
                inspect_packed(root, run);
            else
                inspect_segment(root.block, run);
        }
    }

    // It must have as many records as its root page says, or as it says afterwards: VACUUM may take
    // some meanwhile.
    void inspect_packed(const TenantRoot &root, const Run &run) {
        ++counts_.segments;
        counts_.segment_pages += run.pages;
        const std::int64_t before = counts_.documents;
        PackedWalk walk(index_, root.block, run, Lock::share);
        while (const LockedPage *page = walk.next())
            reading(index_, page->block(), [&] {
                inspect_records(page->block(), root.tenant, records_of(index_, *page));
            });
        const std::int64_t gone = run.documents - (counts_.documents - before);
        if (gone < run.dead || gone > dead_now(root.block, run))
            throw_corrupt(index_, run.first, "a packed run is not what its root page says");
    }

    // All, if the run is not there any more.
    std::int64_t dead_now(BlockNumber root, const Run &run) {
        const Runs runs = read_runs(index_, root);
        for (const Run &now : runs.span())
            if (now.first == run.first && now.state == RunState::packed)
                return now.dead;
        return run.documents;
    }

    void inspect_segment(BlockNumber root, const Run &run) {
        ++counts_.segments;
        counts_.segment_pages += run.pages;
        SegmentPages pages(index_, root);
        reading(index_, pages, [&] {
            segment::Segment segment(pages, root_of_segment(run), memory_);
            inspect_documents(run, segment);
            inspect_terms(run, segment);
        });
    }

    // The documents' numbers must be those of the root page, and their tids must ascend.
    void inspect_documents(const Run &run, segment::Segment &segment) {
        std::uint32_t dead = 0;
        std::uint32_t texts = 0;
        std::uint64_t length = 0;
        codec::Tid before;
        for (std::uint32_t ordinal = 0; ordinal < segment.documents(); ++ordinal) {
            const codec::Row row = segment.row(ordinal);
            if (ordinal > 0 && row.tid <= before)
                throw_corrupt(index_, run.first, "the rows of a segment are out of order");
            before = row.tid;
            if (!segment.alive(ordinal)) {
                ++dead;
                continue;
            }
            const codec::Document document{row.tid, segment.length(ordinal), row.fingerprint};
            texts += document.fingerprint != no_text ? 1 : 0;
            length += document.fingerprint != no_text ? document.length : 0;
            inspect_document(document);
        }
        if (segment.documents() != run.documents || dead != run.dead || texts != run.texts ||
            length != run.length)
            throw_corrupt(index_, run.first, "a segment is not what its root page says");
    }

    // Terms must ascend, and so must the documents of each.
    void inspect_terms(const Run &run, segment::Segment &segment) {
        segment::TermWalk terms(segment, memory_);
        std::pmr::string before(memory_);
        while (terms.next()) {
            pg::check_for_interrupts();
            if (!before.empty() && terms.term() <= before)
                throw_corrupt(index_, run.first, "the terms of a segment are out of order");
            before = terms.term();
            segment::PostingList &list = terms.list();
            std::int64_t last = -1;
            while (list.next())
                for (std::uint32_t i = 0; i < list.block().size; ++i) {
                    if (list.block().ordinals[i] <= last)
                        throw_corrupt(index_, run.first, "the postings of a term are out of order");
                    last = list.block().ordinals[i];
                }
        }
    }

    void inspect_document(const codec::Document &document) {
        ++counts_.documents;
        counts_.tokens += document.length;
        visit_(document.tid, 0);
    }

    // All those that `bytes` are, of one tenant.
    void inspect_records(BlockNumber block, std::uint32_t tenant, codec::Bytes bytes) {
        if (payload_ == Payload::codes) {
            codec::CodeRecordReader records(bytes);
            while (const auto record = records.next())
                inspect_code(tenant, *record);
            return;
        }
        codec::RecordReader records(bytes);
        while (const auto record = records.next())
            inspect_record(block, *record);
    }

    void inspect_code(std::uint32_t tenant, const codec::CodeRecord &record) {
        if (record.dimensions > 0)
            codec::check_code(record.code, codec::CodeForm::of(record.dimensions));
        ++counts_.documents;
        counts_.record_bytes += static_cast<std::int64_t>(record.code.size());
        visit_(record.tid, content_of(tenant, record.whole));
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
        inspect_document(record.document);
    }

    Relation index_;
    Payload payload_;
    std::pmr::memory_resource *memory_;
    std::pmr::vector<TenantRoot> roots_;
    std::pmr::string last_key_;
    std::pmr::vector<bool> known_; // by block
    Visit visit_;
    Counts counts_;
};

// The index of a call, open, and known to be one of ours that its caller may look into.
class InspectedIndex {
  public:
    // Which role, beside the owner's, may look.
    explicit InspectedIndex(Oid id, Oid also = InvalidOid) : relation_(id, AccessShareLock) {
        check_kind();
        const Oid owner = get()->rd_rel->relowner;
        if (!pg::call([=] {
                return has_privs_of_role(GetUserId(), owner) ||
                       (OidIsValid(also) && has_privs_of_role(GetUserId(), also));
            }))
            throw pg::Error(ERRCODE_INSUFFICIENT_PRIVILEGE, "permission denied for index \"%s\"",
                            RelationGetRelationName(get()))
                .hint("%s", OidIsValid(also)
                                ? "Its owner and members of pg_monitor may see its figures."
                                : "Only the owner of the index may verify it.");
        check_has_pages();
    }

    Relation get() const noexcept { return relation_.get(); }

  private:
    void check_kind() const;
    void check_has_pages() const;

    pg::OpenRelation relation_;
};

void InspectedIndex::check_kind() const {
    const char *name = RelationGetRelationName(get());
    if (get()->rd_rel->relkind == RELKIND_PARTITIONED_INDEX)
        throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "\"%s\" is the index of a partitioned table",
                        name)
            .hint("Each partition has one of its own; pg_partition_tree() lists them.");
    if (get()->rd_rel->relkind != RELKIND_INDEX || !is_recall(get()))
        throw pg::Error(ERRCODE_WRONG_OBJECT_TYPE, "\"%s\" is not a recall index", name);
}

void InspectedIndex::check_has_pages() const {
    const char *name = RelationGetRelationName(get());
    if (RELATION_IS_OTHER_TEMP(get()))
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED,
                        "\"%s\" is on a temporary table of another session", name);
    if (get()->rd_rel->relpersistence == RELPERSISTENCE_UNLOGGED && RecoveryInProgress())
        throw pg::Error(ERRCODE_FEATURE_NOT_SUPPORTED, "\"%s\" is unlogged, and has no pages here",
                        name)
            .hint("Ask on the primary.");
    if (!get()->rd_index->indisvalid)
        throw pg::Error(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "index \"%s\" is not valid", name)
            .hint("Wait for CREATE INDEX CONCURRENTLY to end, or REINDEX it.");
}

// Adds a problem that some rows have.
void add_count(pg::ResultSet &problems, std::int64_t rows, const char *what) {
    if (rows == 0)
        return;
    std::array<char, 96> problem{};
    std::snprintf(problem.data(), problem.size(), "%lld rows of the table have %s",
                  static_cast<long long>(rows), what);
    problems.add(pg::to_datum(std::string_view(problem.data())));
}

} // namespace

MEMORY_FUNCTION(memory_index_stats) {
    const InspectedIndex index(DatumGetObjectId(arguments.datum(0)), ROLE_PG_MONITOR);
    pg::TemporaryContext memory("recall index statistics");
    Inspection inspection(index.get(), memory.resource(), [](const codec::Tid &, std::uint64_t) {});
    inspection.run();
    const Counts counts = inspection.count_others();
    const auto pages =
        static_cast<std::int64_t>(pg::call([&] { return RelationGetNumberOfBlocks(index.get()); }));
    const std::array values{
        Int64GetDatum(counts.tenants),       Int64GetDatum(counts.tiny_tenants),
        Int64GetDatum(counts.documents),     Int64GetDatum(counts.tokens),
        Int64GetDatum(counts.leaf_pages),    Int64GetDatum(counts.log_pages),
        Int64GetDatum(counts.segments),      Int64GetDatum(counts.segment_pages),
        Int64GetDatum(counts.retired_pages), Int64GetDatum(pages),
        Int64GetDatum(counts.record_bytes),  Int64GetDatum(counts.free_pages),
        Int64GetDatum(counts.lost_pages)};
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
    const bool has_codes = payload_of(relation) == Payload::codes;
    Recorded known(memory.resource());
    Inspection inspection(relation, memory.resource(),
                          [&](const codec::Tid &tid, std::uint64_t content) {
                              if (!known.emplace(tid_number(tid), content).second)
                                  problems.add(pg::to_datum(has_codes ? "a row has two codes"
                                                                      : "a row has two documents"));
                          });
    inspection.run();
    inspection.count_others();
    if (!has_current_rules(relation))
        problems.add(pg::to_datum(other_rules));
    const RowProblems rows = compare_rows(relation, heap.get(), snapshot.get(), known);
    add_count(problems, rows.missing, has_codes ? "no code" : "no document");
    add_count(problems, rows.different, "the code of another vector or scope");
    return Datum{0};
}

} // namespace memory::index
