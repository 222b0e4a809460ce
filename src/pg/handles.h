// What PostgreSQL lends us, as objects that give it back: relations, snapshots, buffers, locks,
// slots. Each is given back when its object dies; after an ERROR the ResourceOwner has that duty,
// so the destructors then do nothing.
#pragma once

#include "pg/call.h"
#include "pg/error.h"

extern "C" {
#include "executor/tuptable.h"
#include "storage/bufmgr.h"
#include "storage/lmgr.h"
#include "utils/snapmgr.h"
}

namespace memory::pg {

// An open relation of any kind; the caller checks that it is of the right one. The lock is kept
// until the transaction ends, as everywhere in PostgreSQL.
class OpenRelation {
  public:
    // An error when there is none with this oid.
    OpenRelation(Oid id, LOCKMODE lock)
        : relation_(call([=] { return try_relation_open(id, lock); })) {
        if (relation_ == nullptr)
            throw Error(ERRCODE_UNDEFINED_TABLE, "there is no relation with oid %u", id)
                .hint("It may have been dropped just now.");
    }
    ~OpenRelation() {
        release([this] { relation_close(relation_, NoLock); });
    }
    OpenRelation(const OpenRelation &) = delete;
    OpenRelation &operator=(const OpenRelation &) = delete;

    Relation get() const noexcept { return relation_; }

  private:
    Relation relation_;
};

// A snapshot that stays valid while this object lives.
class HeldSnapshot {
  public:
    explicit HeldSnapshot(Snapshot snapshot)
        : snapshot_(call([=] { return RegisterSnapshot(snapshot); })) {}
    ~HeldSnapshot() {
        release([this] { UnregisterSnapshot(snapshot_); });
    }
    HeldSnapshot(const HeldSnapshot &) = delete;
    HeldSnapshot &operator=(const HeldSnapshot &) = delete;

    Snapshot get() const noexcept { return snapshot_; }

  private:
    Snapshot snapshot_;
};

// A fresh snapshot as the active one, for statements that must see what others have committed since
// this statement began (after waiting for a lock, for instance): as the transaction's isolation
// allows, or with GetLatestSnapshot whatever it is.
class FreshSnapshot {
  public:
    explicit FreshSnapshot(Snapshot (*take)() = GetTransactionSnapshot) {
        call([=] { PushActiveSnapshot(take()); });
    }
    ~FreshSnapshot() {
        release([] { PopActiveSnapshot(); });
    }
    FreshSnapshot(const FreshSnapshot &) = delete;
    FreshSnapshot &operator=(const FreshSnapshot &) = delete;
};

// A pinned page, and its content lock when `mode` is not BUFFER_LOCK_UNLOCK.
class PinnedPage {
  public:
    PinnedPage(Relation relation, BlockNumber block, int mode)
        : buffer_(call([=] {
              const Buffer buffer = ReadBuffer(relation, block);
              if (mode != BUFFER_LOCK_UNLOCK)
                  LockBuffer(buffer, mode);
              return buffer;
          })),
          locked_(mode != BUFFER_LOCK_UNLOCK) {}
    // Takes over the caller's pin.
    explicit PinnedPage(Buffer pinned) noexcept : buffer_(pinned), locked_(false) {}
    ~PinnedPage() {
        release([this] {
            if (locked_)
                LockBuffer(buffer_, BUFFER_LOCK_UNLOCK);
            ReleaseBuffer(buffer_);
        });
    }
    PinnedPage(const PinnedPage &) = delete;
    PinnedPage &operator=(const PinnedPage &) = delete;

    Page page() const noexcept { return BufferGetPage(buffer_); }
    Buffer buffer() const noexcept { return buffer_; }

  private:
    Buffer buffer_;
    bool locked_;
};

// A heavyweight lock on a database object or a part of it, until the transaction ends. Nothing to
// give back: an early release would let others see half of what the lock protected.
inline void lock_object(Oid catalog, Oid object, LOCKMODE mode, std::uint16_t part = 0) {
    call([=] { LockDatabaseObject(catalog, object, part, mode); });
}

// The current user is `role` while this object lives; after an ERROR the abort of the transaction
// restores the former one. Statements under it are the extension's own and qualify every name.
// Foreign code, such as the expressions of an index, runs as its owner with
// SECURITY_RESTRICTED_OPERATION, so that it cannot leave anything behind for the caller to run.
class ActingAs {
  public:
    explicit ActingAs(Oid role, int context = SECURITY_LOCAL_USERID_CHANGE) noexcept {
        GetUserIdAndSecContext(&user_, &context_);
        SetUserIdAndSecContext(role, context_ | context);
    }
    ~ActingAs() { SetUserIdAndSecContext(user_, context_); }
    ActingAs(const ActingAs &) = delete;
    ActingAs &operator=(const ActingAs &) = delete;

  private:
    Oid user_;
    int context_;
};

// A slot for one tuple of `descriptor`'s shape.
class Slot {
  public:
    Slot(TupleDesc descriptor, const TupleTableSlotOps *kind)
        : slot_(call([=] { return MakeSingleTupleTableSlot(descriptor, kind); })) {}
    ~Slot() {
        release([this] { ExecDropSingleTupleTableSlot(slot_); });
    }
    Slot(const Slot &) = delete;
    Slot &operator=(const Slot &) = delete;

    TupleTableSlot *get() const noexcept { return slot_; }

  private:
    TupleTableSlot *slot_;
};

} // namespace memory::pg
