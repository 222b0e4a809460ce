// The vectors that one user has of one model, as a ranking asks for them: those at places that an
// index of codes knows, those of what has these ids, or all.
#pragma once

#include "index/codec/tid.h"
#include "pg/vector.h"
#include "rank/arm.h"

extern "C" {
#include "utils/relcache.h"
}

namespace memory::models {

class StoredVectors {
  public:
    // Several vectors may be of the same thing, and one may be of several.
    struct Stored {
        rank::RowId id;           // of what it is the vector
        const pg::Vector *vector; // valid until the visit returns
    };

    // Refers to what visit(const Stored &) is called with; that must outlive it.
    class Visitor {
      public:
        template <class Visit>
        explicit Visitor(Visit &visit) noexcept
            : visit_(&visit), call_([](void *body, const Stored &stored) {
                  (*static_cast<Visit *>(body))(stored);
              }) {}
        void operator()(const Stored &stored) const { call_(visit_, stored); }

      private:
        void *visit_;
        void (*call_)(void *body, const Stored &stored);
    };

    StoredVectors() = default;
    virtual ~StoredVectors() = default;
    StoredVectors(const StoredVectors &) = delete;
    StoredVectors &operator=(const StoredVectors &) = delete;

    // The index of codes of these vectors, whose scope is namespace, user and model; nullptr where
    // there is none that may be used.
    virtual Relation codes() = 0;

    // Whether some of the rows that a snapshot sees may not be answered with. Those are not
    // visited.
    virtual bool is_filtered() const noexcept = 0;

    // Up to how many places are best asked for together.
    virtual std::size_t at_once() const noexcept = 0;

    // Visits a Stored of each row at these places that the snapshot sees. `rows`: how many the user
    // has, about. Vectors out of line are fetched into the current memory context, here and below.
    template <class Visit>
    void each_at(std::span<const codec::Tid> places, std::size_t rows, Visit &&visit) {
        visit_at(places, rows, Visitor(visit));
    }
    // The same of what has these ids, which ascend.
    template <class Visit>
    void each_of(std::span<const rank::RowId> ids, Visit &&visit) {
        visit_of(ids, Visitor(visit));
    }
    // The same of all.
    template <class Visit>
    void each_of_all(Visit &&visit) {
        visit_all(Visitor(visit));
    }

  private:
    virtual void visit_at(std::span<const codec::Tid> places, std::size_t rows,
                          const Visitor &visit) = 0;
    virtual void visit_of(std::span<const rank::RowId> ids, const Visitor &visit) = 0;
    virtual void visit_all(const Visitor &visit) = 0;
};

} // namespace memory::models
