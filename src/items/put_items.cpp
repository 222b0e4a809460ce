// memory.put_items: a JSON array of items, all or nothing.
//
// Every element is read and checked before the first is written. They are written in the order of
// their places, whatever their order in the array: two calls that put the same items wait for each
// other, and never each for the other.
#include "access/call.h"
#include "access/elements.h"
#include "items/item.h"
#include "items/tables.h"
#include "pg/memory.h"

#include <numeric>

namespace memory::items {

namespace {

constexpr pg::Signature element_signature(put_arguments);
using Elements = access::Elements<element_signature>;
constexpr const char *hint = "Keys are the names of memory.put_item's arguments; what is the "
                             "application's own goes into value.";

// Items but for their users.
Item read(const Elements::Element &element, const pg::JsonValue &json) {
    Item item = read_item(element);
    // A null that is there is a value as any.
    const std::optional<pg::JsonValue> value = json.member("value");
    pg::Place place = element.place();
    place.name = "value";
    item.value = pg::Given<pg::Document>(
                     place, value ? std::optional(pg::Document{value->to_jsonb()}) : std::nullopt)
                     .required();
    return item;
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
std::pmr::vector<std::int64_t> put_all(const Elements &elements, std::span<const Item> items,
                                       std::pmr::memory_resource *memory) {
    std::pmr::vector<std::int64_t> versions(items.size(), memory);
    pg::TemporaryContext per_item("memory.put_items");
    for (const std::size_t n : in_order(items, memory)) {
        pg::check_for_interrupts();
        const pg::SwitchedContext switched(per_item.get());
        versions[n] = elements.naming(n, [&] { return put(items[n]); });
        per_item.reset();
    }
    return versions;
}

} // namespace

MEMORY_CALL(memory_put_items, "items jsonb, user_id text") {
    const Elements elements("items", call.json("items"), hint, call.text("user_id"));
    access::Connection writing(schema::Need::to_write, call, room);
    pg::ContextResource memory(CurrentMemoryContext);
    const std::pmr::vector<Item> items = elements.read<Item>(&memory, read);
    elements.check_may_write(items);
    for (const std::int64_t version : put_all(elements, items, &memory))
        writing.rows().add(pg::Values{version});
    return call.nothing();
}

} // namespace memory::items
