// How much memory the backend has.
#pragma once

#include "pg/backend.h"

namespace door {

struct Usage {
    std::size_t contexts; // all memory contexts
    std::size_t heap;     // all that malloc has given and not got back

    static Usage now();
    std::int64_t since(const Usage &before) const noexcept;
};

} // namespace door
