// SQL from C++: statements that are prepared once per backend and run under the caller's rights,
// policies and snapshot.
#pragma once

#include "pg/sql.h"
#include "pg/values.h"

extern "C" {
#include "executor/tuptable.h"
}

#include <tuple>

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

namespace detail {

// The columns of one row by their places.
struct Columns {
    static constexpr int most = 64;

    // All of them; an error when they are more.
    static Columns of(HeapTuple row, TupleDesc shape);
    static Columns of(TupleTableSlot *row);

    TupleDesc shape;
    std::array<Datum, most> values;
    std::array<bool, most> nulls;
};
[[noreturn]] void throw_other_width(int wanted, int found);

template <class Type>
struct Read {
    static decltype(auto) from(const Columns &row, int column) {
        const auto place = static_cast<std::size_t>(column);
        return read_not_null<Type>(row.shape, column, {row.values[place], row.nulls[place]});
    }
};
template <class Type>
struct Read<std::optional<Type>> {
    static auto from(const Columns &row, int column) {
        const auto place = static_cast<std::size_t>(column);
        return read_or_null<Type>(row.shape, column, {row.values[place], row.nulls[place]});
    }
};

// The row as these types, which must be those of its columns: a value for one, a tuple for several.
template <class... Types>
decltype(auto) read_row(const Columns &row) {
    constexpr int width = sizeof...(Types);
    if (row.shape->natts != width) [[unlikely]]
        throw_other_width(width, row.shape->natts);
    if constexpr (width == 1)
        return Read<Types...>::from(row, 0);
    else
        return [&]<int... places>(std::integer_sequence<int, places...>) {
            return std::tuple<decltype(Read<Types>::from(row, 0))...>{
                Read<Types>::from(row, places)...};
        }
    (std::make_integer_sequence<int, width>{});
}

} // namespace detail

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

    // A whole row as types of column.h: rows.get<Uuid, Text, std::optional<Text>>(0). An error when
    // its columns are others, or one is NULL that is not optional.
    template <class... Types>
    decltype(auto) get(std::uint64_t row) const {
        return detail::read_row<Types...>(detail::Columns::of(tuple(row), shape()));
    }

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

// One row on its way (Statement::each). Valid until the visit returns.
class Row {
  public:
    explicit Row(TupleTableSlot *slot) noexcept : slot_(slot) {}

    // As Rows::get.
    template <class... Types>
    decltype(auto) get() const {
        return detail::read_row<Types...>(detail::Columns::of(slot_));
    }
    TupleTableSlot *slot() const noexcept { return slot_; }

  private:
    TupleTableSlot *slot_;
};

// What a statement sees.
enum class SnapshotOf {
    // What the statement sees that has called us, and nothing that this call has written. Only
    // SELECT without locking runs so. What STABLE functions need.
    caller,
    // What has been committed by now, as the isolation level allows, and all that this transaction
    // has written. What a write needs, and a SELECT after a lock that it has waited for.
    now
};

// One statement. Made static: planned at its first use in a backend and kept; PostgreSQL plans it
// anew when what it names has changed. MEMORY_STATEMENT (statement.h) makes one.
class Statement {
  public:
    enum class Planned { when_it_pays, for_each_values, once };
    using enum Planned;

    // With for_each_values it is planned anew for the parameters of each run: for conditions whose
    // best plan depends on them. With once it never is, and goes along indexes: what it costs must
    // depend neither on them nor on how small its tables once were.
    explicit constexpr Statement(Sql sql, Planned planned = when_it_pays) noexcept
        : sql_(sql.text), planned_(planned) {}
    explicit constexpr Statement(const char *sql, Planned planned = when_it_pays) noexcept
        : sql_(sql), planned_(planned) {}

    const char *sql() const noexcept { return sql_; }
    Planned planned() const noexcept { return planned_; }

    // Needs a live Spi. `limit` 0 is all rows.
    Rows run(SnapshotOf snapshot, const Values &parameters, long limit = 0);

    // For a statement that writes: an error unless it has written `rows` rows of the table
    // memory.`table`, as a trigger or a rule of a user's may keep some from being written.
    Rows write(const Values &parameters, const char *table, std::uint64_t rows = 1);

    // The same as run() for a query whose rows go to `receiver` one by one, however many they are.
    void run_into(DestReceiver *receiver, SnapshotOf snapshot, const Values &parameters);

    // The same with visit(const Row &) for every row.
    template <class Visit>
    void each(SnapshotOf snapshot, const Values &parameters, Visit &&visit) {
        visit_each(snapshot, parameters, &visit, [](void *body, TupleTableSlot *row) {
            (*static_cast<std::remove_reference_t<Visit> *>(body))(Row(row));
        });
    }

  private:
    class Running;

    using VisitRow = void (*)(void *body, TupleTableSlot *row);
    void visit_each(SnapshotOf snapshot, const Values &parameters, void *body, VisitRow visit);

    // The plan that is kept; or, while that one runs with other types, one that goes with the Spi.
    SPIPlanPtr plan_for(std::span<const Oid> types);
    SPIPlanPtr prepare(std::span<const Oid> types) const;

    const char *sql_;
    Planned planned_;
    SPIPlanPtr plan_ = nullptr;
    bool expired_ = false; // plan_ is not to be used again
    int running_ = 0;
    std::size_t count_ = 0;
    std::array<Oid, Values::most> types_{};
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
Rows run_once(const char *sql, SnapshotOf snapshot, const Values &parameters);

// Runs statements that are not worth keeping (DDL). Several may stand in one text; each is a
// command of its own, so that an error's CONTEXT, and whatever logs statements, has that one alone.
void run_utility(const char *sql);

} // namespace memory::pg
