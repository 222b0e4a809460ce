// SQL from C++: statements that are prepared once per backend and run under the caller's rights,
// policies and snapshot.
#pragma once

#include "pg/column.h"

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
    // There must be such a row.
    HeapTuple tuple(std::uint64_t row) const;
    TupleDesc shape() const noexcept { return table_->tupdesc; }

    // The value in `column` (from 0), as a type of column.h; an error when it is NULL.
    template <class Type>
    decltype(auto) get(std::uint64_t row, int column) const {
        const TupleDesc shape = shape_of(row);
        return read_not_null<Type>(shape, column, datum(row, column));
    }
    // The same; nothing when it is NULL.
    template <class Type>
    auto find(std::uint64_t row, int column) const {
        const TupleDesc shape = shape_of(row);
        return read_or_null<Type>(shape, column, datum(row, column));
    }

  private:
    // Of that row, which must be there.
    TupleDesc shape_of(std::uint64_t row) const;
    // Of a row that is there; nothing in particular where there is no such column.
    NullableDatum datum(std::uint64_t row, int column) const;

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

    // For a statement that writes: an error unless it has written `rows` rows of the table
    // memory.`table`, as a trigger or a rule of a user's may keep some from being written.
    Rows write(std::span<const Parameter> parameters, const char *table, std::uint64_t rows = 1);

    // The same as run() for a query whose rows go to `receiver` one by one, however many they are.
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
    bool expired_ = false; // plan_ is not to be used again
    int running_ = 0;
    std::size_t count_ = 0;
    Types types_{};
};

namespace detail {

inline NullableDatum datum_in(TupleTableSlot *row, int column) {
    if (column < 0 || column >= row->tts_tupleDescriptor->natts) [[unlikely]]
        return {};
    if (column >= row->tts_nvalid)
        call([=] { slot_getsomeattrs(row, column + 1); });
    return {row->tts_values[column], row->tts_isnull[column]};
}

} // namespace detail

// The value in `column` (from 0) of a row, as a type of column.h; an error when it is NULL.
template <class Type>
decltype(auto) get_in(TupleTableSlot *row, int column) {
    return read_not_null<Type>(row->tts_tupleDescriptor, column, detail::datum_in(row, column));
}
// The same; nothing when it is NULL.
template <class Type>
auto find_in(TupleTableSlot *row, int column) {
    return read_or_null<Type>(row->tts_tupleDescriptor, column, detail::datum_in(row, column));
}

// The error for rows that memory.`table` was to take and did not.
[[noreturn]] void throw_kept_out(const char *table, std::uint64_t written, std::uint64_t rows);

// Plans and runs one query for these values. Needs a live Spi.
Rows run_once(const char *sql, std::span<const Parameter> parameters, Access access);

// Runs statements that are not worth keeping (DDL); several may stand in one text.
void run_utility(const char *sql);

} // namespace memory::pg
