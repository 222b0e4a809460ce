// Connections, prepared statements and their results.
#include "pg/spi.h"

#include "pg/entry.h"
#include "pg/error.h"
#include "pg/memory.h"

namespace memory::pg {

namespace {

[[noreturn]] void throw_spi_error(const char *function, int result) {
    throw Error(ERRCODE_INTERNAL_ERROR, "%s failed: %s", function, SPI_result_code_string(result));
}

} // namespace

Spi::Spi() : caller_(CurrentMemoryContext) {
    if (const int result = call([] { return SPI_connect(); }); result != SPI_OK_CONNECT)
        throw_spi_error("SPI_connect", result);
}

Spi::~Spi() {
    release([] { SPI_finish(); });
}

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

SPIPlanPtr Statement::prepare(const Types &types, std::size_t count) const {
    constexpr int options[]{0, CURSOR_OPT_CUSTOM_PLAN, CURSOR_OPT_GENERIC_PLAN}; // as Planned
    SPIPlanPtr plan = call([&] {
        return SPI_prepare_cursor(sql_, static_cast<int>(count), const_cast<Oid *>(types.data()),
                                  options[static_cast<int>(planned_)]);
    });
    if (plan == nullptr)
        throw_spi_error("SPI_prepare", SPI_result);
    return plan;
}

SPIPlanPtr Statement::plan_for(std::span<const Parameter> parameters) {
    if (parameters.size() > most_parameters)
        throw Error(ERRCODE_INTERNAL_ERROR, "a statement with %zu parameters", parameters.size());
    Types types{};
    std::transform(parameters.begin(), parameters.end(), types.begin(),
                   [](const Parameter &parameter) { return parameter.type; });
    if (plan_ != nullptr && !expired_ && count_ == parameters.size() && types_ == types)
        return plan_;
    if (plan_ != nullptr && running_ > 0)
        return prepare(types, parameters.size());
    if (plan_ != nullptr)
        call([this] { SPI_freeplan(std::exchange(plan_, nullptr)); });
    SPIPlanPtr plan = prepare(types, parameters.size());
    if (const int result = call([plan] { return SPI_keepplan(plan); }); result != 0)
        throw_spi_error("SPI_keepplan", result);
    plan_ = plan;
    expired_ = false;
    count_ = parameters.size();
    types_ = types;
    return plan_;
}

Rows Statement::run(std::span<const Parameter> parameters, Access access, long limit) {
    SPIPlanPtr plan = plan_for(parameters);
    std::array<Datum, most_parameters> values;
    std::array<char, most_parameters> nulls;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        values[i] = parameters[i].value;
        nulls[i] = parameters[i].null ? 'n' : ' ';
    }
    const Running running(*this);
    const int result = call([&] {
        SPI_freetuptable(SPI_tuptable);
        return SPI_execute_plan(plan, values.data(), nulls.data(), access == Access::read, limit);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan", result);
    // By a rule, something else was done or nothing. PostgreSQL does not know then what the plan
    // depends on, and would keep it when the rule is gone.
    if (result == SPI_OK_REWRITTEN && plan == plan_)
        expired_ = true;
    return {SPI_tuptable, SPI_processed};
}

Rows Statement::write(std::span<const Parameter> parameters, const char *table,
                      std::uint64_t rows) {
    const Rows written = run(parameters, Access::write);
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

void Statement::run_into(DestReceiver *receiver, std::span<const Parameter> parameters,
                         Access access) {
    SPIPlanPtr plan = plan_for(parameters);
    const Running running(*this);
    const int result = call([&] {
        ParamListInfo list = makeParamList(static_cast<int>(parameters.size()));
        for (std::size_t i = 0; i < parameters.size(); ++i)
            list->params[i] = {parameters[i].value, parameters[i].null, PARAM_FLAG_CONST,
                               parameters[i].type};
        SPIExecuteOptions options{};
        options.params = list;
        options.read_only = access == Access::read;
        options.dest = receiver;
        return SPI_execute_plan_extended(plan, &options);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan_extended", result);
}

void Statement::visit_each(std::span<const Parameter> parameters, Access access, void *body,
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
    run_into(&receiving.receiver, parameters, access);
}

Rows run_once(const char *sql, std::span<const Parameter> parameters, Access access) {
    ContextResource memory(CurrentMemoryContext);
    std::pmr::vector<Oid> types(&memory);
    std::pmr::vector<Datum> values(&memory);
    std::pmr::vector<char> nulls(&memory);
    for (const Parameter &parameter : parameters) {
        types.push_back(parameter.type);
        values.push_back(parameter.value);
        nulls.push_back(parameter.null ? 'n' : ' ');
    }
    const int result = call([&] {
        SPI_freetuptable(SPI_tuptable);
        return SPI_execute_with_args(sql, static_cast<int>(types.size()), types.data(),
                                     values.data(), nulls.data(), access == Access::read, 0);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_with_args", result);
    return {SPI_tuptable, SPI_processed};
}

void run_utility(const char *sql) {
    const int result = call([sql] { return SPI_execute(sql, false, 0); });
    if (result < 0)
        throw_spi_error("SPI_execute", result);
}

} // namespace memory::pg
