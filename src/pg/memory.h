// PostgreSQL's memory contexts as std::pmr resources, and objects that a context owns.
#pragma once

#include "pg/call.h"

namespace memory::pg {

// Allocates in `context`. Never jumps: what cannot be had throws std::bad_alloc. What is not
// deallocated goes with the context.
class ContextResource final : public std::pmr::memory_resource {
  public:
    explicit ContextResource(MemoryContext context) noexcept : context_(context) {}

    MemoryContext context() const noexcept { return context_; }

  private:
    void *do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void *memory, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override;

    MemoryContext context_;
};

// Memory for what every query builds up and throws away again. It stays with the backend, so that
// the system need not take it back and hand it out, page by page, for each of them. One Workspace
// has it at a time; the others, and what does not fit, allocate in their contexts.
class Workspace final : public std::pmr::memory_resource {
  public:
    // What is allocated lives no longer than `context`.
    explicit Workspace(MemoryContext context) noexcept;
    ~Workspace() override;
    Workspace(const Workspace &) = delete;
    Workspace &operator=(const Workspace &) = delete;

    // Nothing that was allocated is in use any more.
    void clear() noexcept { used_ = 0; }

  private:
    void *do_allocate(std::size_t bytes, std::size_t alignment) override;
    void do_deallocate(void *memory, std::size_t bytes, std::size_t alignment) override;
    bool do_is_equal(const std::pmr::memory_resource &other) const noexcept override {
        return this == &other;
    }

    ContextResource rest_;
    std::byte *block_; // null: in use by another Workspace
    std::size_t used_ = 0;
};

// A child of the current context that lives as long as this object, with a resource that allocates
// in it. `name` must live as long: a literal.
class TemporaryContext {
  public:
    explicit TemporaryContext(const char *name);
    ~TemporaryContext();
    TemporaryContext(const TemporaryContext &) = delete;
    TemporaryContext &operator=(const TemporaryContext &) = delete;

    std::pmr::memory_resource *resource() noexcept { return &resource_; }
    MemoryContext get() const noexcept { return resource_.context(); }
    // Frees everything allocated in it so far.
    void reset();

  private:
    ContextResource resource_;
};

// CurrentMemoryContext is `context` while this object lives.
class SwitchedContext {
  public:
    explicit SwitchedContext(MemoryContext context) noexcept
        : before_(MemoryContextSwitchTo(context)) {}
    ~SwitchedContext() { MemoryContextSwitchTo(before_); }
    SwitchedContext(const SwitchedContext &) = delete;
    SwitchedContext &operator=(const SwitchedContext &) = delete;

  private:
    MemoryContext before_;
};

// A T that `context` owns: it is destroyed when the context is reset or deleted, by an ERROR or
// otherwise. T's destructor must not call PostgreSQL.
template <class T, class... Values>
T *make_in(MemoryContext context, Values &&...values) {
    static_assert(std::is_nothrow_destructible_v<T>, "the context's callback is called from C");
    struct Owned {
        MemoryContextCallback callback;
        alignas(T) std::byte object[sizeof(T)];
    };
    ContextResource resource(context);
    auto *owned = static_cast<Owned *>(resource.allocate(sizeof(Owned), alignof(Owned)));
    T *object;
    try {
        object = ::new (static_cast<void *>(owned->object)) T(std::forward<Values>(values)...);
    } catch (...) {
        resource.deallocate(owned, sizeof(Owned), alignof(Owned));
        throw;
    }
    owned->callback = {};
    owned->callback.func = [](void *held) { static_cast<T *>(held)->~T(); };
    owned->callback.arg = object;
    MemoryContextRegisterResetCallback(context, &owned->callback);
    return object;
}

} // namespace memory::pg
