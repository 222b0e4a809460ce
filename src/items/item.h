// One item on its way into memory: what a caller gave, checked.
#pragma once

#include "items/choice.h"
#include "models/comparison.h"

namespace memory::items {

inline constexpr char put_arguments[] =
    "path text[], key text, value jsonb, user_id text, ttl interval, texts text[],"
    " embeddings vector[], expected_version bigint";

using Embeddings = std::span<const pg::Vector *const>;

// What is not held by value belongs to the caller's memory context.
struct Item {
    access::Tenant tenant;
    Path path;
    std::string_view key;
    pg::Document value;
    std::optional<Interval> ttl;
    std::optional<std::span<const std::string_view>> texts;
    std::optional<Embeddings> embeddings;
    std::optional<std::int64_t> expected_version;
};

// An error when one has no direction.
std::optional<Embeddings> checked_embeddings(const pg::Given<Embeddings> &given);

// The fields of put_item()'s arguments, or of an element of put_items()'s, but for its user and its
// value.
template <class Fields>
Item read_item(const Fields &given) {
    Item item;
    item.path = required_path(given.list("path"));
    item.key = checked_key(given.text("key"));
    item.ttl = given.interval("ttl").positive();
    item.texts = given.list("texts");
    item.embeddings = checked_embeddings(given.vectors("embeddings"));
    item.expected_version =
        given.bigint("expected_version").between(0, std::numeric_limits<std::int64_t>::max());
    return item;
}

// Writes a checked item, and returns its version. Needs a live Spi.
std::int64_t put(const Item &item);

} // namespace memory::items
