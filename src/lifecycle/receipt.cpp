// Receipts of what was forgotten.
#include "lifecycle/receipt.h"

#include "facts/algebra/sha256.h"
#include "pg/json_writer.h"
#include "pg/uuid.h"
#include "schema/rooms.h"

extern "C" {
#include "access/xact.h"
#include "utils/json.h"
}

namespace memory::lifecycle {

namespace {

// In UTC, whatever the session's time zone; in the current memory context.
std::string_view start_of_transaction() {
    const int zone = 0;
    return pg::call([&zone] {
        return std::string_view(
            JsonEncodeDateTime(nullptr, TimestampTzGetDatum(GetCurrentTransactionStartTimestamp()),
                               TIMESTAMPTZOID, &zone));
    });
}

std::array<char, 64> hexadecimal(const std::array<std::uint8_t, 32> &bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<char, 64> text;
    for (std::size_t n = 0; n < bytes.size(); ++n) {
        text[2 * n] = digits[bytes[n] >> 4];
        text[2 * n + 1] = digits[bytes[n] & 15];
    }
    return text;
}

std::array<char, 64> digest_of(std::span<const pg_uuid_t> ids) {
    facts::algebra::Sha256 sha256;
    for (const pg_uuid_t &id : ids)
        sha256.add({reinterpret_cast<const char *>(id.data), sizeof id.data});
    return hexadecimal(sha256.digest());
}

} // namespace

Receipt::Receipt(std::pmr::memory_resource *memory) : counts_(memory), ids_(memory) {
    schema::each_table([this](const schema::Table &table) {
        if (schema::of_users(table))
            counts_.push_back({table.name, 0});
    });
}

void Receipt::add(std::string_view table, std::int64_t rows) {
    for (Count &count : counts_)
        if (count.table == table)
            count.rows += rows;
}

void Receipt::add_ids(std::span<const pg_uuid_t> ids) {
    ids_.insert(ids_.end(), ids.begin(), ids.end());
}

Datum Receipt::as_json() {
    pg::JsonWriter json;
    for (const Count &count : counts_)
        json.add(count.table.data(), count.rows);
    json.add("time", start_of_transaction());
    const auto digest = digest_of(pg::unique_ids(ids_));
    json.add("digest", std::string_view(digest.data(), digest.size()));
    return json.finish();
}

} // namespace memory::lifecycle
