// Reads, checks, locks and allocates pages, and puts changes into generic WAL records.
#include "index/page.h"

#include "index/free_space.h"
#include "pg/extend.h"

extern "C" {
#include "storage/indexfsm.h"
}

namespace memory::index {

namespace {

int buffer_lock(Lock lock) {
    return lock == Lock::share ? BUFFER_LOCK_SHARE : BUFFER_LOCK_EXCLUSIVE;
}

bool is_ours(Page page, BlockNumber block) {
    const auto *header = reinterpret_cast<const PageHeaderData *>(page);
    return !PageIsNew(page) && header->pd_special == BLCKSZ - sizeof(PageTail) &&
           header->pd_lower >= SizeOfPageHeaderData && header->pd_lower <= header->pd_upper &&
           header->pd_upper <= header->pd_special && tail_of(page).mark == mark_of(block);
}

// What an error of PostgreSQL's that is raised while a page is read does not say: it names files.
void tell_which_index(void *index) {
    const int code = geterrcode();
    if (code != ERRCODE_DATA_CORRUPTED && code != ERRCODE_UNDEFINED_FILE)
        return;
    const char *name = RelationGetRelationName(static_cast<Relation>(index));
    errcontext("reading index \"%s\"", name);
    errhint("REINDEX it.");
}

// body(), inside call(), with what its errors do not say.
template <class Body>
auto reading_of(Relation index, Body &&body) {
    ErrorContextCallback telling{error_context_stack, tell_which_index, index};
    error_context_stack = &telling;
    const auto result = body();
    error_context_stack = telling.previous;
    return result;
}

// ReadBuffer(), inside call().
Buffer read_page(Relation index, BlockNumber block, BufferAccessStrategy strategy = nullptr) {
    return reading_of(index, [=] {
        return ReadBufferExtended(index, MAIN_FORKNUM, block, RBM_NORMAL, strategy);
    });
}

// Locks a page if it is free; InvalidBuffer if it is in use, or locked by a backend that is about
// to use it. Inside call().
Buffer lock_free_page(Relation index, BlockNumber block) {
    const Buffer buffer = read_page(index, block);
    if (ConditionalLockBuffer(buffer)) {
        const Page page = BufferGetPage(buffer);
        if (PageIsNew(page) || (is_ours(page, block) && tail_of(page).kind == Kind::free))
            return buffer;
        LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
    }
    ReleaseBuffer(buffer);
    return InvalidBuffer;
}

// A page of the free space map's; InvalidBuffer when there is none. Inside call().
Buffer recycled_page(Relation index) {
    for (;;) {
        const BlockNumber block = GetFreeIndexPage(index);
        if (block == InvalidBlockNumber)
            return InvalidBuffer;
        const Buffer buffer = lock_free_page(index, block);
        if (BufferIsValid(buffer))
            return buffer;
    }
}

// A page at the end. VACUUM may have found it, and an insert taken it, before it is locked.
Buffer new_page(Relation index) {
    for (;;) {
        const pg::Extended added = pg::extend(index);
        if (added.error != 0)
            throw NoRoom(index, added.error);
        prepare_map(index, added.block);
        const Buffer buffer = pg::call([&] { return lock_free_page(index, added.block); });
        if (BufferIsValid(buffer))
            return buffer;
    }
}

} // namespace

void throw_corrupt(Relation index, BlockNumber block, const char *what) {
    throw pg::Error(ERRCODE_INDEX_CORRUPTED, "index \"%s\" is corrupt at block %u: %s",
                    RelationGetRelationName(index), block, what)
        .hint("REINDEX it.");
}

NoRoom::NoRoom(Relation index, int error) noexcept
    : Error(error == EFBIG ? ERRCODE_PROGRAM_LIMIT_EXCEEDED : ERRCODE_DISK_FULL,
            "could not extend index \"%s\": %s", RelationGetRelationName(index),
            std::strerror(error)) {
    if (error == EFBIG)
        hint("Its file has the largest size that is allowed.");
    else
        hint("Free disk space.");
}

LockedPage::LockedPage(Relation index, BlockNumber block, Lock lock)
    : buffer_(pg::call([=] {
          // ReadBuffer() would take it for the wish to have the index extended.
          if (block == InvalidBlockNumber)
              ereport(ERROR,
                      (errcode(ERRCODE_INDEX_CORRUPTED),
                       errmsg("index \"%s\" is corrupt: it refers to a page that does not exist",
                              RelationGetRelationName(index)),
                       errhint("REINDEX it.")));
          const Buffer buffer = read_page(index, block);
          LockBuffer(buffer, buffer_lock(lock));
          return buffer;
      })) {
    if (!is_ours(page(), block)) {
        give_back();
        throw_corrupt(index, block, "not a page of a recall index");
    }
}

LockedPage::LockedPage(Relation index, BlockNumber block, Lock lock, Kind kind)
    : LockedPage(index, block, lock) {
    if (this->kind() != kind)
        throw_corrupt(index, block, "a page of another kind than expected");
}

LockedPage::LockedPage(Relation index, BlockNumber block, Lock lock, Kind kind, BlockNumber owner)
    : LockedPage(index, block, lock, kind) {
    if (tail().owner() != owner)
        throw_corrupt(index, block, "a page of another tenant than expected");
}

void expect_page(Relation index, BlockNumber block) {
    if (block == InvalidBlockNumber)
        return;
    const PrefetchBufferResult found = pg::call([=] {
        return reading_of(index, [=] { return PrefetchBuffer(index, MAIN_FORKNUM, block); });
    });
    if (!BufferIsValid(found.recent_buffer))
        return;
    // It may hold another page by now, which makes no difference but to what is brought.
    constexpr std::size_t cache_line = 64;
    const auto *page = static_cast<const char *>(BufferGetBlock(found.recent_buffer));
    for (std::size_t at = 0; at < BLCKSZ; at += cache_line)
        __builtin_prefetch(page + at);
}

LockedPage LockedPage::allocate(Relation index) {
    const Buffer recycled = pg::call([index] { return recycled_page(index); });
    return LockedPage(BufferIsValid(recycled) ? recycled : new_page(index));
}

LockedPage &LockedPage::operator=(LockedPage &&other) noexcept {
    if (this != &other) {
        give_back();
        buffer_ = std::exchange(other.buffer_, InvalidBuffer);
    }
    return *this;
}

void LockedPage::give_back() noexcept {
    const Buffer buffer = std::exchange(buffer_, InvalidBuffer);
    if (BufferIsValid(buffer))
        pg::release([buffer] { UnlockReleaseBuffer(buffer); });
}

Buffer LockedPage::unlock() {
    pg::call([this] { LockBuffer(buffer_, BUFFER_LOCK_UNLOCK); });
    return std::exchange(buffer_, InvalidBuffer);
}

KeptPage::~KeptPage() {
    pg::release([this] { ReleaseBuffer(buffer_); });
}

std::size_t LockedPage::free_bytes() const noexcept {
    const auto *header = reinterpret_cast<const PageHeaderData *>(page());
    return static_cast<std::size_t>(header->pd_upper - header->pd_lower);
}

std::optional<PageTail> peek(Relation index, BlockNumber block, BufferAccessStrategy strategy) {
    PageTail tail{};
    enum class Found { ours, fresh, foreign };
    const Found found = pg::call([&] {
        const Buffer buffer = read_page(index, block, strategy);
        LockBuffer(buffer, BUFFER_LOCK_SHARE);
        const Page page = BufferGetPage(buffer);
        const Found is = PageIsNew(page)        ? Found::fresh
                         : is_ours(page, block) ? Found::ours
                                                : Found::foreign;
        if (is == Found::ours)
            tail = tail_of(page);
        UnlockReleaseBuffer(buffer);
        return is;
    });
    if (found == Found::foreign)
        throw_corrupt(index, block, "not a page of a recall index");
    return found == Found::ours ? std::optional(tail) : std::nullopt;
}

PageWrite::PageWrite(Relation index)
    : state_(pg::call([index] { return GenericXLogStart(index); })) {}

PageWrite::~PageWrite() {
    if (state_ != nullptr)
        pg::release([this] { GenericXLogAbort(state_); });
}

Page PageWrite::change(const LockedPage &page) {
    return pg::call([&] { return GenericXLogRegisterBuffer(state_, page.buffer(), 0); });
}

Page PageWrite::create(const LockedPage &page, Kind kind, BlockNumber next,
                       std::uint32_t generation) {
    const Page copy = pg::call(
        [&] { return GenericXLogRegisterBuffer(state_, page.buffer(), GENERIC_XLOG_FULL_IMAGE); });
    initialise(copy, page.block(), kind, next, generation);
    return copy;
}

void PageWrite::finish() {
    pg::call([this] { GenericXLogFinish(state_); });
    state_ = nullptr;
}

void initialise(Page page, BlockNumber block, Kind kind, BlockNumber next,
                std::uint32_t generation) {
    PageInit(page, BLCKSZ, sizeof(PageTail));
    tail_of(page) = {next, generation, kind, 0, mark_of(block)};
    auto *header = reinterpret_cast<PageHeader>(page);
    if (kind == Kind::root)
        header->pd_lower = root_start;
    if (kind == Kind::meta)
        header->pd_lower = static_cast<LocationIndex>(log_start + sizeof(MetaPage));
}

std::byte *extend_data(Page page, std::size_t bytes) {
    auto *header = reinterpret_cast<PageHeader>(page);
    if (bytes > static_cast<std::size_t>(header->pd_upper - header->pd_lower))
        throw pg::Error(ERRCODE_INDEX_CORRUPTED, "a page of a recall index holds more than it can")
            .hint("REINDEX it.");
    auto *place = reinterpret_cast<std::byte *>(page) + header->pd_lower;
    header->pd_lower = static_cast<LocationIndex>(header->pd_lower + bytes);
    return place;
}

} // namespace memory::index
