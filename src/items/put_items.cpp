// memory.put_items: a JSON array of items, all or nothing.
//
// Every element is read and checked before the first is written. They are written in the order of
// their places, whatever their order in the array: two calls that put the same items wait for each
// other, and never each for the other.
#include "access/call.h"
#include "items/item.h"
#include "items/tables.h"
#include "pg/attempt.h"
#include "pg/json_element.h"
#include "pg/memory.h"

#include <numeric>

namespace memory::items {

namespace {

constexpr pg::Signature element_signature(put_arguments);
using Element = pg::JsonElement<element_signature>;
constexpr const char *hint = "Keys are the names of memory.put_item's arguments; what is the "
                             "application's own goes into value.";

Item read(std::size_t n, const pg::JsonValue &json, const pg::Given<std::string_view> &user) {
    const Element element("items", n, json, hint);
    Item item = read_item(element);
    // A null that is there is a value as any.
    const std::optional<pg::JsonValue> value = json.member("value");
    item.value = pg::Given<pg::Document>({"value", "items", n},
                                         value ? std::optional(pg::Document{value->to_jsonb()})
                                               : std::nullopt)
                     .required();
    const auto own = element.text("user_id");
    // What may be wrong with the default is that there is none.
    item.tenant =
        own ? access::tenant(own)
            : pg::naming(element.place().text().data(), [&] { return access::tenant(user); });
    return item;
}

std::pmr::vector<Item> read_all(const pg::JsonValue &array, const pg::Given<std::string_view> &user,
                                std::pmr::memory_resource *memory) {
    std::pmr::vector<Item> items(memory);
    pg::JsonWalk walk(array);
    while (const auto value = walk.next_element()) {
        pg::check_for_interrupts();
        items.push_back(read(items.size(), *value, user));
    }
    return items;
}

void check_may_write(std::span<const Item> items) {
    const access::SessionIdentity identity;
    for (std::size_t n = 0; n < items.size(); ++n) {
        access::warn_of_anonymous_write(items[n].tenant);
        if (!identity.may_write(items[n].tenant))
            pg::naming(pg::Place{{}, "items", n}.text().data(), [&] { identity.refuse(); });
    }
}

bool before(const Item &a, const Item &b) {
    if (a.tenant.user != b.tenant.user)
        return a.tenant.user < b.tenant.user;
    if (!std::ranges::equal(a.path, b.path))
        return std::ranges::lexicographical_compare(a.path, b.path);
    return a.key < b.key;
}

// Their numbers in the order of their places; of one place as they were given, so that the last
// wins.
std::pmr::vector<std::size_t> in_order(std::span<const Item> items,
                                       std::pmr::memory_resource *memory) {
    std::pmr::vector<std::size_t> numbers(items.size(), memory);
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&](std::size_t a, std::size_t b) { return before(items[a], items[b]); });
    return numbers;
}

// Their versions, in the order of the array.
std::pmr::vector<std::int64_t> put_all(std::span<const Item> items,
                                       std::pmr::memory_resource *memory) {
    std::pmr::vector<std::int64_t> versions(items.size(), memory);
    pg::TemporaryContext per_item("memory.put_items");
    for (const std::size_t n : in_order(items, memory)) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_item.get());
        versions[n] =
            pg::naming(pg::Place{{}, "items", n}.text().data(), [&] { return put(items[n]); });
        per_item.reset();
    }
    return versions;
}

} // namespace

MEMORY_CALL(memory_put_items, "items jsonb, user_id text") {
    const pg::JsonValue array = pg::json_root(call.json("items").required().jsonb);
    if (!array.is_array())
        throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "items must be an array, not %s",
                        array.described());
    const auto user = call.text("user_id");
    if (user) // even when no element needs it
        access::tenant(user);
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<Item> items = read_all(array, user, &memory);
    check_may_write(items);
    for (const std::int64_t version : put_all(items, &memory))
        writing.rows().add(pg::Values{version});
    return call.nothing();
}

} // namespace memory::items
