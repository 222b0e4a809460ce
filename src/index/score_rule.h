// Which relation's rows <@> is about. Its number is one that a scan has found, so what it is asked
// for must be a row of that scan: the planner traces the text on the left of <@> to a relation of
// the same query level with a recall index on that text, and puts that (query.h: Source) into the
// query, for scan and operator alike. A text that is no such column, or is one of a subquery that
// stays one, has no Source, and so no number.
//
// That is a support function's work (memory_internal.distance_support), which the planner calls for
// every
// <@> in every expression that is executed. It replaces whatever Source a query has already: none
// can be asked for in SQL.
#pragma once
