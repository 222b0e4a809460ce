// A filter, ready to be asked of one jsonb after another: what no operator of PostgreSQL decides.
#pragma once

#include "filter/language/condition.h"
#include "pg/json.h"
#include "pg/memory.h"

namespace memory::filter {

class Evaluator {
  public:
    // What it needs is copied into `context`. An error when `filter` is no filter.
    Evaluator(Datum filter, MemoryContext context);
    Evaluator(const Evaluator &) = delete;
    Evaluator &operator=(const Evaluator &) = delete;

    bool passes(Datum jsonb) const;

  private:
    // A condition, and what its operand has been made into.
    struct Step;
    struct Row;

    Step *step_of(const language::Condition &condition);
    void prepare(Step &step);
    template <class T>
    std::span<T> array(std::size_t size);

    static bool holds(const Step &step, const Row &row);
    static bool holds_of(const Step &step, const JsonbValue &found);

    pg::ContextResource memory_;
    Datum filter_;
    Datum no_variables_;
    language::Condition condition_;
    Step *root_;
};

} // namespace memory::filter
