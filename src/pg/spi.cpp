// Connections, prepared statements and their results.
#include "pg/spi.h"

#include "pg/error.h"

namespace memory::pg {

Spi::Spi() : caller_(CurrentMemoryContext) {
    if (const int result = call([] { return SPI_connect(); }); result != SPI_OK_CONNECT)
        throw Error(ERRCODE_INTERNAL_ERROR, "SPI_connect failed: %s",
                    SPI_result_code_string(result));
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

void Statement::prepare(std::span<const Parameter> parameters) {
    if (parameters.size() > most_parameters)
        throw Error(ERRCODE_INTERNAL_ERROR, "a statement with %zu parameters", parameters.size());
    for (std::size_t i = 0; i < parameters.size(); ++i)
        types_[i] = parameters[i].type;
    const int count = static_cast<int>(parameters.size());
    SPIPlanPtr plan = call([&] {
        if (plan_ != nullptr)
            SPI_freeplan(std::exchange(plan_, nullptr));
        return SPI_prepare(sql_, count, types_.data());
    });
    if (plan == nullptr || SPI_keepplan(plan) != 0)
        throw Error(ERRCODE_INTERNAL_ERROR, "SPI_prepare failed: %s",
                    SPI_result_code_string(SPI_result));
    plan_ = plan;
}

Rows Statement::run(std::span<const Parameter> parameters, Access access, long limit) {
    const bool same_types = std::equal(parameters.begin(), parameters.end(), types_.begin(),
                                       [](const Parameter &p, Oid type) { return p.type == type; });
    if (plan_ == nullptr || !same_types)
        prepare(parameters);

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
        throw Error(ERRCODE_INTERNAL_ERROR, "SPI_execute_plan failed: %s",
                    SPI_result_code_string(result));
    return {SPI_tuptable, SPI_processed};
}

void run_utility(const char *sql) {
    const int result = call([sql] { return SPI_execute(sql, false, 0); });
    if (result < 0)
        throw Error(ERRCODE_INTERNAL_ERROR, "SPI_execute failed: %s",
                    SPI_result_code_string(result));
}

} // namespace memory::pg
