// Root pages: their checksum covers what leads to other pages, and the statistics.
#include "index/root_page.h"

#include "index/codec/code_record.h"
#include "index/segment/catalogue.h"

extern "C" {
#include "common/hashfn.h"
#include "port/pg_crc32c.h"
}

namespace memory::index {

namespace {

// Of the head, but for the checksum itself, and of the runs.
std::uint16_t checksum_of(Page page) noexcept {
    const RootPage &head = root_of(page);
    pg_crc32c sum;
    INIT_CRC32C(sum);
    COMP_CRC32C(sum, &head, offsetof(RootPage, checksum));
    COMP_CRC32C(sum, &head.tenant, sizeof head.tenant);
    COMP_CRC32C(sum, runs_of(page), sizeof(Run) * head.runs);
    FIN_CRC32C(sum);
    return static_cast<std::uint16_t>(sum ^ sum >> 16);
}

// What every run is, whatever it is of.
bool is_possible(const Run &run) {
    constexpr std::uint64_t page_bytes = BLCKSZ - log_start - sizeof(PageTail);
    if (run.pages == 0 || run.first == InvalidBlockNumber || run.last == InvalidBlockNumber)
        return false;
    if (run.state == RunState::retired)
        return true;
    if (run.state == RunState::packed)
        return run.documents > 0 && run.dead <= run.documents &&
               run.documents <= run.pages * page_bytes / codec::code_record_head;
    return run.state == RunState::live && run.documents <= segment::most_documents &&
           run.dead <= run.documents && run.texts <= run.documents - run.dead &&
           run.catalogue_bytes > 0 && run.catalogue_bytes <= run.pages * page_bytes;
}

const char *what_is_wrong(const LockedPage &root) {
    const Page page = root.page();
    const RootPage &head = root_of(page);
    if (head.runs > most_runs || records_start(page) > reinterpret_cast<PageHeader>(page)->pd_lower)
        return "a root page with more runs than it holds";
    if (head.checksum != checksum_of(page))
        return "a root page whose head is not what was written";
    if ((head.tail == root.block()) != (head.log_pages == 0))
        return "a log that does not end where its root page says";
    const std::span<const Run> runs = runs_on(root);
    return std::all_of(runs.begin(), runs.end(), is_possible) ? nullptr : "a run that cannot be";
}

} // namespace

std::uint32_t hash_of(Key key) noexcept {
    return hash_bytes(reinterpret_cast<const unsigned char *>(key.data()),
                      static_cast<int>(key.size()));
}

LockedPage lock_root(Relation index, BlockNumber root, Lock lock) {
    LockedPage page(index, root, lock, Kind::root);
    if (const char *wrong = what_is_wrong(page))
        throw_corrupt(index, root, wrong);
    return page;
}

LockedPage lock_root(Relation index, const TenantRoot &root, Lock lock) {
    LockedPage page = lock_root(index, root.block, lock);
    if (root_of(page.page()).tenant != root.tenant)
        throw_corrupt(index, root.block, "a page of another tenant than expected");
    return page;
}

std::span<const Run> runs_on(const LockedPage &root) noexcept {
    return {runs_of(root.page()), root_of(root.page()).runs};
}

Runs read_runs(Relation index, BlockNumber root) {
    return Runs(runs_on(lock_root(index, root, Lock::share)));
}

std::uint32_t log_generation(Relation index, BlockNumber root) {
    return LockedPage(index, root, Lock::share, Kind::root).tail().generation;
}

void replace_runs(Page copy, std::span<const Run> runs, codec::Bytes records) {
    auto *const begin = reinterpret_cast<std::uint8_t *>(copy) + root_start;
    const std::size_t size = runs.size_bytes() + records.size();
    // The records are those of the page that this is a copy of, so they do not overlap.
    std::memcpy(begin + runs.size_bytes(), records.data(), records.size());
    std::memcpy(begin, runs.data(), runs.size_bytes());
    root_of(copy).runs = static_cast<std::uint16_t>(runs.size());
    reinterpret_cast<PageHeader>(copy)->pd_lower = static_cast<LocationIndex>(root_start + size);
    seal_root(copy);
}

void seal_root(Page copy) noexcept { root_of(copy).checksum = checksum_of(copy); }

} // namespace memory::index
