// What a trigger was called for: a row, or the rows that a statement has deleted.
//
// EXECUTE on trigger functions is granted to PUBLIC, so triggers of any table may call them, with
// columns of any type: the table is checked, and each column before it is read.
#pragma once

#include "pg/column.h"
#include "pg/function.h"

namespace memory::pg {

class TriggerRow {
  public:
    // An error unless the function is called by an AFTER trigger for a row of one of these tables
    // of schema memory, or of a partition of one, which a trigger is cloned to.
    TriggerRow(const Arguments &arguments, std::initializer_list<const char *> tables);

    // Whether the row was there before.
    bool is_update() const noexcept { return is_update_; }

    // The new row's value, as a type of column.h. An error when there is no such column, or it is
    // of another type; get() also when the value is NULL.
    template <class Type>
    decltype(auto) get(const char *column) const {
        const int number = place(column);
        return read_not_null<Type>(shape_, number, datum(number));
    }
    // Nothing when it is NULL.
    template <class Type>
    auto find(const char *column) const {
        const int number = place(column);
        return read_or_null<Type>(shape_, number, datum(number));
    }

    // The same of the row as it was before an UPDATE; nothing for other triggers, too.
    template <class Type>
    auto find_before(const char *column) const {
        const int number = place(column);
        return read_or_null<Type>(shape_, number, value(before_, number));
    }

  private:
    int place(const char *column) const;
    NullableDatum datum(int column) const { return value(row_, column); }
    // NULL where there is no such row.
    NullableDatum value(HeapTuple row, int column) const;

    HeapTuple row_;
    HeapTuple before_; // null unless the trigger is one of an UPDATE
    TupleDesc shape_;
    bool is_update_;
};

// Shows the rows that a statement has deleted to statements of the live Spi, as a table of the name
// that the trigger's definition gives them (REFERENCING OLD TABLE AS …). An error unless the
// function is called by an AFTER DELETE trigger for each statement on one of these tables of schema
// memory, with such a name.
void show_deleted_rows(const Arguments &arguments, std::initializer_list<const char *> tables);

} // namespace memory::pg
