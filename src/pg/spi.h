// SQL from C++: statements that are prepared once per backend and run under the caller's rights,
// policies and snapshot.
#pragma once

#include "pg/datum.h"

extern "C" {
#include "executor/tuptable.h"
}

namespace memory::pg {

// A connection to SPI. What is allocated while it lives goes with it, unless it is made in
// `caller()`.
class Spi {
  public:
    Spi();
    ~Spi();
    Spi(const Spi &) = delete;
    Spi &operator=(const Spi &) = delete;

    // The context that was current before: results for the caller belong there.
    MemoryContext caller() const noexcept { return caller_; }

  private:
    MemoryContext caller_;
};

// The rows of the statement run last. Valid until the next one in the same Spi.
class Rows {
  public:
    Rows(SPITupleTable *table, std::uint64_t processed) noexcept
        : table_(table), processed_(processed) {}

    // Rows returned, or rows changed by a statement that returns none.
    std::uint64_t size() const noexcept { return processed_; }
    bool empty() const noexcept { return processed_ == 0; }
    HeapTuple tuple(std::uint64_t row) const noexcept { return table_->vals[row]; }
    TupleDesc shape() const noexcept { return table_->tupdesc; }
    // The value in `column` (from 0); nothing when it is NULL.
    std::optional<Datum> value(std::uint64_t row, int column) const;

  private:
    SPITupleTable *table_;
    std::uint64_t processed_;
};

enum class Access { read, write };

// One statement, written with every name qualified. Made static: planned at its first use in a
// backend and kept; PostgreSQL plans it anew when what it names has changed.
class Statement {
  public:
    enum class Planned { when_it_pays, for_each_values, once };

    // With for_each_values it is planned anew for the parameters of each run: for conditions whose
    // best plan depends on them. With once it never is: what it costs must not depend on them.
    explicit constexpr Statement(const char *sql, Planned planned = Planned::when_it_pays) noexcept
        : sql_(sql), planned_(planned) {}

    // Needs a live Spi. `limit` 0 is all rows.
    Rows run(std::span<const Parameter> parameters, Access access, long limit = 0);

    // The same for a query whose rows go to `receiver` one by one, however many they are.
    void run_into(DestReceiver *receiver, std::span<const Parameter> parameters, Access access);

    // The same with visit(TupleTableSlot *) for every row; a slot is valid until visit returns.
    template <class Visit>
    void each(std::span<const Parameter> parameters, Access access, Visit &&visit) {
        visit_each(parameters, access, &visit, [](void *body, TupleTableSlot *row) {
            (*static_cast<std::remove_reference_t<Visit> *>(body))(row);
        });
    }

  private:
    static constexpr std::size_t most_parameters = 24;
    using Types = std::array<Oid, most_parameters>;
    class Running;

    using VisitRow = void (*)(void *body, TupleTableSlot *row);
    void visit_each(std::span<const Parameter> parameters, Access access, void *body,
                    VisitRow visit);

    // The plan that is kept; or, while that one runs with other types, one that goes with the Spi.
    SPIPlanPtr plan_for(std::span<const Parameter> parameters);
    SPIPlanPtr prepare(const Types &types, std::size_t count) const;

    const char *sql_;
    Planned planned_;
    SPIPlanPtr plan_ = nullptr;
    int running_ = 0;
    std::size_t count_ = 0;
    Types types_{};
};

// The value in `column` (from 0) of a row; nothing when it is NULL.
inline std::optional<Datum> value_in(TupleTableSlot *row, int column) {
    bool null = false;
    const Datum value = call([&] { return slot_getattr(row, column + 1, &null); });
    return null ? std::nullopt : std::optional(value);
}

// Plans and runs one query for these values. Needs a live Spi.
Rows run_once(const char *sql, std::span<const Parameter> parameters, Access access);

// Runs statements that are not worth keeping (DDL); several may stand in one text.
void run_utility(const char *sql);

} // namespace memory::pg
