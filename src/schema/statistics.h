// The planner's statistics of what users say: there are none.
#pragma once

namespace memory::schema {

// ANALYZE keeps samples of values. It is told to leave out the columns and index expressions that
// hold words (table.h), and what it has kept of them is removed. A column that has been given a
// target of its own is the owner's business. Needs a live Spi; locks nothing when there is nothing
// to do.
void remove_statistics();

} // namespace memory::schema
