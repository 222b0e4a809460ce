// Connections, prepared statements and their results.
#include "pg/spi.h"

#include "pg/error.h"

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

std::optional<Datum> Rows::value(std::uint64_t row, int column) const {
    bool null = false;
    const Datum value =
        call([&] { return SPI_getbinval(table_->vals[row], table_->tupdesc, column + 1, &null); });
    return null ? std::nullopt : std::optional<Datum>(value);
}

void Statement::prepare_for(std::span<const Parameter> parameters) {
    if (parameters.size() > most_parameters)
        throw Error(ERRCODE_INTERNAL_ERROR, "a statement with %zu parameters", parameters.size());
    if (plan_ != nullptr &&
        std::equal(parameters.begin(), parameters.end(), types_.begin(),
                   [](const Parameter &given, Oid type) { return given.type == type; }))
        return;
    for (std::size_t i = 0; i < parameters.size(); ++i)
        types_[i] = parameters[i].type;
    const int count = static_cast<int>(parameters.size());
    SPIPlanPtr plan = call([&] {
        if (plan_ != nullptr)
            SPI_freeplan(std::exchange(plan_, nullptr));
        return SPI_prepare(sql_, count, types_.data());
    });
    if (plan == nullptr || SPI_keepplan(plan) != 0)
        throw_spi_error("SPI_prepare", SPI_result);
    plan_ = plan;
}

Rows Statement::run(std::span<const Parameter> parameters, Access access, long limit) {
    prepare_for(parameters);
    std::array<Datum, most_parameters> values;
    std::array<char, most_parameters> nulls;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        values[i] = parameters[i].value;
        nulls[i] = parameters[i].null ? 'n' : ' ';
    }
    const int result = call([&] {
        return SPI_execute_plan(plan_, values.data(), nulls.data(), access == Access::read, limit);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan", result);
    return {SPI_tuptable, SPI_processed};
}

void Statement::run_into(DestReceiver *receiver, std::span<const Parameter> parameters,
                         Access access) {
    prepare_for(parameters);
    const int result = call([&] {
        ParamListInfo list = makeParamList(static_cast<int>(parameters.size()));
        for (std::size_t i = 0; i < parameters.size(); ++i)
            list->params[i] = {parameters[i].value, parameters[i].null, PARAM_FLAG_CONST,
                               parameters[i].type};
        SPIExecuteOptions options{};
        options.params = list;
        options.read_only = access == Access::read;
        options.dest = receiver;
        return SPI_execute_plan_extended(plan_, &options);
    });
    if (result < 0)
        throw_spi_error("SPI_execute_plan_extended", result);
}

void run_utility(const char *sql) {
    const int result = call([sql] { return SPI_execute(sql, false, 0); });
    if (result < 0)
        throw_spi_error("SPI_execute", result);
}

} // namespace memory::pg
