// How a call makes sure that the tables it is about are there, and are those that this library
// knows.
#pragma once

#include "schema/rooms.h"

namespace memory::schema {

// Whether a table of any room is there.
bool some_exist();

// What a table lacks of its description, in words for a message; nothing when it is whole: columns,
// and the defaults and triggers that call the extension.
using Lack = std::optional<std::array<char, 256>>;
Lack lack_of(Relation open, const Table &table);

// What a call is about to do with the tables.
enum class Need { to_read, to_write };

// Compares the tables of `room` with their descriptions: their kind, their columns, and the
// defaults and triggers that call the extension. Where no table of any room has been made yet, a
// write by the owner of schema memory makes all. Any other call where something is missing is an
// error (55000) that names it and memory.init(). The answer is kept until PostgreSQL says that one
// of the tables has changed.
void require(Need need, const Room &room);

// The same for every room.
void require_all(Need need);

} // namespace memory::schema
