// A page of a user's items, those that were put last first.
#pragma once

#include "items/choice.h"
#include "pg/rows.h"

namespace memory::items {

struct Page {
    access::Tenant tenant;
    Choice choice;
    std::int64_t skip = 0;
    std::int64_t k = 10;
};

// Adds its rows, without scores, to a result of items(). Needs a live Spi.
void add_newest(const Page &page, pg::ResultSet &result);

} // namespace memory::items
