// What the planner must know beyond costs.
#pragma once

namespace memory::index {

// Only an ordered scan of a recall index knows the values of <@>: where one is possible, every
// other path to the relation is taken out of the planner's choice. An index of vector codes is in
// no plan. Called once, when the library is loaded.
void install_planner_hook();

} // namespace memory::index
