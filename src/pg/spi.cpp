// Connections, prepared statements and their results.
#include "pg/spi.h"

#include "pg/entry.h"
#include "pg/error.h"
#include "pg/memory.h"

extern "C" {
#include "optimizer/cost.h"
#include "tcop/tcopprot.h"
}

namespace memory::pg {

namespace {

[[noreturn]] void throw_spi_error(const char *function, int result) {
    throw Error(ERRCODE_INTERNAL_ERROR, "%s failed: %s", function, SPI_result_code_string(result));
}

// Plans that are made while it lives go along indexes, those of foreign keys' checks too. A plan
// that is kept outlives the sizes that tables had: one of a few rows, read as a whole, may have
// thousands before anything makes PostgreSQL plan again. What is changed is the setting's variable:
// SET would cost more than a short statement does.
class ByIndexes {
  public:
    explicit ByIndexes(bool wanted) : before_(enable_seqscan) {
        if (wanted)
            enable_seqscan = false;
    }
    ~ByIndexes() { enable_seqscan = before_; }
    ByIndexes(const ByIndexes &) = delete;
    ByIndexes &operator=(const ByIndexes &) = delete;

  private:
    bool before_;
};

} // namespace

Spi::Spi() : caller_(CurrentMemoryContext) {
    if (const int result = call([] { return SPI_connect(); }); result != SPI_OK_CONNECT)
        throw_spi_error("SPI_connect", result);
}

Spi::~Spi() {
    release([] { SPI_finish(); });
}

void Values::throw_too_many() {
    throw Error(ERRCODE_INTERNAL_ERROR, "there are more than %zu values", most);
}

namespace detail {

void throw_other_width(int wanted, int found) {
    throw Error(ERRCODE_INTERNAL_ERROR, "a row of %d columns is read as one of %d", found, wanted);
}

Columns Columns::of(HeapTuple row, TupleDesc shape) {
    if (shape->natts > most)
        throw_other_width(most, shape->natts);
    Columns found; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    found.shape = shape;
    call([&] { heap_deform_tuple(row, shape, found.values.data(), found.nulls.data()); });
    return found;
}

Columns Columns::of(TupleTableSlot *row) {
    const TupleDesc shape = row->tts_tupleDescriptor;
    if (shape->natts > most)
        throw_other_width(most, shape->natts);
    call([row] { slot_getallattrs(row); });
    Columns found; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    found.shape = shape;
    std::copy_n(row->tts_values, shape->natts, found.values.begin());
    std::copy_n(row->tts_isnull, shape->natts, found.nulls.begin());
    return found;
}

} // namespace detail

TupleDesc Rows::shape_of(std::uint64_t row) const {
    if (table_ == nullptr || row >= processed_) [[unlikely]]
        throw Error(ERRCODE_INTERNAL_ERROR, "row %llu is read of a statement's %llu",
                    static_cast<unsigned long long>(row + 1),
                    static_cast<unsigned long long>(table_ == nullptr ? 0 : processed_));
    return table_->tupdesc;
}

HeapTuple Rows::tuple(std::uint64_t row) const {
    shape_of(row);
    return table_->vals[row];
}

NullableDatum Rows::datum(std::uint64_t row, int column) const {
    NullableDatum found{};
    if (column >= 0 && column < table_->tupdesc->natts) [[likely]]
        found.value = call([&] {
            return SPI_getbinval(table_->vals[row], table_->tupdesc, column + 1, &found.isnull);
        });
    return found;
}

// A statement may run inside itself, by way of a function or a trigger: its plan must then stay.
class Statement::Running {
  public:
    explicit Running(Statement &statement) noexcept : running_(statement.running_) { ++running_; }
    ~Running() { --running_; }
    Running(const Running &) = delete;
    Running &operator=(const Running &) = delete;

  private:
    int &running_;
};

SPIPlanPtr Statement::prepare(std::span<const Oid> types) const {
    constexpr int options[]{0, CURSOR_OPT_CUSTOM_PLAN, CURSOR_OPT_GENERIC_PLAN}; // as Planned
    SPIPlanPtr plan = call([&] {
        return SPI_prepare_cursor(sql_, static_cast<int>(types.size()),
                                  const_cast<Oid *>(types.data()),
                                  options[static_cast<int>(planned_)]);
    });
    if (plan == nullptr)
        throw_spi_error("SPI_prepare", SPI_result);
    return plan;
}

SPIPlanPtr Statement::plan_for(std::span<const Oid> types) {
    if (plan_ != nullptr && !expired_ && count_ == types.size() &&
        std::equal(types.begin(), types.end(), types_.begin()))
        return plan_;
    if (plan_ != nullptr && running_ > 0)
        return prepare(types);
    if (plan_ != nullptr)
        call([this] { SPI_freeplan(std::exchange(plan_, nullptr)); });
    SPIPlanPtr plan = prepare(types);
    if (const int result = call([plan] { return SPI_keepplan(plan); }); result != 0)
        throw_spi_error("SPI_keepplan", result);
    plan_ = plan;
    expired_ = false;
    count_ = types.size();
    std::copy(types.begin(), types.end(), types_.begin());
    return plan_;
}

Rows Statement::run(SnapshotOf snapshot, const Values &parameters, long limit) {
    SPIPlanPtr plan = plan_for(parameters.types());
    const Running running(*this);
    const ByIndexes planning(planned_ == once);
    const int result = call([&] {
        SPI_freetuptable(SPI_tuptable);
        return SPI_execute_plan(plan, const_cast<Datum *>(parameters.values().data()),
                                parameters.nulls(), snapshot == SnapshotOf::caller, limit);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan", result);
    // By a rule, something else was done or nothing. PostgreSQL does not know then what the plan
    // depends on, and would keep it when the rule is gone.
    if (result == SPI_OK_REWRITTEN && plan == plan_)
        expired_ = true;
    return {SPI_tuptable, SPI_processed};
}

Rows Statement::write(const Values &parameters, const char *table, std::uint64_t rows) {
    const ByIndexes checks_of_foreign_keys(true);
    const Rows written = run(SnapshotOf::now, parameters);
    if (written.size() != rows)
        throw_kept_out(table, written.size(), rows);
    return written;
}

void throw_kept_out(const char *table, std::uint64_t written, std::uint64_t rows) {
    throw Error(ERRCODE_TRIGGERED_DATA_CHANGE_VIOLATION, "memory.%s took %llu of %llu rows", table,
                static_cast<unsigned long long>(written), static_cast<unsigned long long>(rows))
        .detail("A trigger or a rule has kept out the others; a BEFORE trigger does so by "
                "returning NULL.")
        .hint("\\d memory.%s shows them.", table);
}

void Statement::run_into(DestReceiver *receiver, SnapshotOf snapshot, const Values &parameters) {
    SPIPlanPtr plan = plan_for(parameters.types());
    const Running running(*this);
    const ByIndexes planning(planned_ == once);
    const int result = call([&] {
        ParamListInfo list = makeParamList(static_cast<int>(parameters.size()));
        for (std::size_t i = 0; i < parameters.size(); ++i)
            list->params[i] = {parameters.values()[i], parameters.nulls()[i] == 'n',
                               PARAM_FLAG_CONST, parameters.types()[i]};
        SPIExecuteOptions options{};
        options.params = list;
        options.read_only = snapshot == SnapshotOf::caller;
        options.dest = receiver;
        return SPI_execute_plan_extended(plan, &options);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan_extended", result);
}

void Statement::visit_each(SnapshotOf snapshot, const Values &parameters, void *body,
                           VisitRow visit) {
    struct Receiver {
        DestReceiver receiver;
        void *body;
        VisitRow visit;
    };
    Receiver receiving{};
    receiving.receiver.receiveSlot = [](TupleTableSlot *row, DestReceiver *self) {
        return entry([=] {
            const auto *given = reinterpret_cast<Receiver *>(self);
            given->visit(given->body, row);
            return true;
        });
    };
    receiving.receiver.rStartup = [](DestReceiver *, int, TupleDesc) {};
    receiving.receiver.rShutdown = [](DestReceiver *) {};
    receiving.receiver.rDestroy = [](DestReceiver *) {};
    receiving.receiver.mydest = DestNone;
    receiving.body = body;
    receiving.visit = visit;
    run_into(&receiving.receiver, snapshot, parameters);
}

Rows run_once(const char *sql, SnapshotOf snapshot, const Values &parameters) {
    const int result = call([&] {
        SPI_freetuptable(SPI_tuptable);
        return SPI_execute_with_args(sql, static_cast<int>(parameters.size()),
                                     const_cast<Oid *>(parameters.types().data()),
                                     const_cast<Datum *>(parameters.values().data()),
                                     parameters.nulls(), snapshot == SnapshotOf::caller, 0);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_with_args", result);
    return {SPI_tuptable, SPI_processed};
}

namespace {

// The text of one statement of a parsed text. Inside call().
const char *text_of(const RawStmt *statement, const char *sql) {
    const char *begin = sql + std::max(statement->stmt_location, 0);
    begin += std::strspn(begin, " \t\r\n");
    const char *end = statement->stmt_len == 0
                          ? sql + std::strlen(sql)
                          : sql + std::max(statement->stmt_location, 0) + statement->stmt_len;
    return pnstrdup(begin, static_cast<Size>(end - begin));
}

} // namespace

void run_utility(const char *sql) {
    const List *statements = call([sql] { return pg_parse_query(sql); });
    for (int i = 0; i < list_length(statements); ++i) {
        const int result = call([&] {
            return SPI_execute(text_of(list_nth_node(RawStmt, statements, i), sql), false, 0);
        });
        if (result < 0)
            throw_spi_error("SPI_execute", result);
    }
}

} // namespace memory::pg
