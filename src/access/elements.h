// The JSON array of a function that writes rows of several users: each element has the arguments of
// the function that writes one, and is its own user's or, where it names none, the call's. All are
// read and checked before the first is written; what is wrong with one is told with its place
// ("episodes[3].ttl").
//
//     access::Elements<element_signature> elements("items", call.json("items"), hint, user);
//     access::Connection writing(…);
//     const auto items = elements.read<Item>(&memory, [](const auto &element, const auto &json)
//     {…}); elements.check_may_write(items);
#pragma once

#include "access/session_identity.h"
#include "pg/attempt.h"
#include "pg/json_element.h"

#include <vector>

namespace memory::access {

template <const pg::Signature &signature>
class Elements {
  public:
    using Element = pg::JsonElement<signature>;

    // `name` is the array's, `hint` is for an element with a key that is no argument; literals.
    // `user` is that of elements that name none.
    Elements(const char *name, const pg::Given<pg::Document> &array, const char *hint,
             const pg::Given<std::string_view> &user)
        : name_(name), hint_(hint), array_(pg::json_root(array.required().jsonb)), user_(user) {
        if (!array_.is_array())
            throw pg::Error(ERRCODE_INVALID_PARAMETER_VALUE, "%s must be an array, not %s", name,
                            array_.described());
        if (user_) // even when no element needs it
            tenant(user_);
    }

    // What `read_one` makes of each, as an element and as JSON; its member `tenant` is set here.
    template <class Row, class ReadOne>
    std::pmr::vector<Row> read(std::pmr::memory_resource *memory, ReadOne read_one) const {
        std::pmr::vector<Row> rows(memory);
        pg::JsonWalk walk(array_);
        while (const auto value = walk.next_element()) {
            pg::check_for_interrupts();
            const Element element(name_, rows.size(), *value, hint_);
            Row &row = rows.emplace_back(read_one(element, *value));
            row.tenant = tenant_of(element);
        }
        return rows;
    }

    // Whether the session may write all of them. Needs the tables.
    template <class Row>
    void check_may_write(const std::pmr::vector<Row> &rows) const {
        const SessionIdentity identity;
        for (std::size_t n = 0; n < rows.size(); ++n) {
            warn_of_anonymous_write(rows[n].tenant);
            if (!identity.may_write(rows[n].tenant))
                naming(n, [&] { identity.refuse(); });
        }
    }

    // Runs `body`, which is about one element: an error in it begins with its place.
    template <class Body>
    auto naming(std::size_t n, Body &&body) const {
        return pg::naming(pg::Place{{}, name_, n}.text().data(), body);
    }

  private:
    // What may be wrong with the default is that there is none.
    Tenant tenant_of(const Element &element) const {
        const auto own = element.text("user_id");
        return own ? tenant(own)
                   : pg::naming(element.place().text().data(), [this] { return tenant(user_); });
    }

    const char *name_;
    const char *hint_;
    pg::JsonValue array_;
    pg::Given<std::string_view> user_;
};

} // namespace memory::access
