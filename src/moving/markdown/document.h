// A file of memories as a person reads and edits it, and the memories that are in it. Each is a
// bullet, with a comment behind its first line that says which one it is:
//
//     # 2026-03-01
//
//     - 09:15 The train leaves at nine. <!-- episode:0190… 5f2a… -->
//
// What is read is what was written; what a person writes by hand needs no comment
// (docs/moving.md, "Markdown").
#pragma once

#include "moving/markdown/layout.h"
#include "text/interruption.h"

#include <array>
#include <cstddef>
#include <memory_resource>
#include <optional>
#include <string>
#include <vector>

namespace memory::markdown {

enum class Thing : std::uint8_t { episode, fact };

// What a comment says of a memory beyond its text. An empty one is not said. Times are in ISO 8601.
struct Attributes {
    using Text = std::pmr::string;
    explicit Attributes(std::pmr::memory_resource *memory)
        : at(memory), kind(memory), role(memory), from(memory), until(memory), confidence(memory) {}

    Text at; // when it happened, where the line does not say that
    Text kind;
    Text role;
    Text from; // of facts
    Text until;
    Text confidence;

    friend bool operator==(const Attributes &, const Attributes &) = default;
};

using Id = std::array<std::uint8_t, 16>;

struct Entry {
    explicit Entry(std::pmr::memory_resource *memory)
        : section(memory), time(memory), content(memory), response(memory), subject(memory),
          predicate(memory), object(memory), attributes(memory) {}

    Thing thing = Thing::episode;
    std::size_t line = 0; // that it begins in, from 1
    std::optional<Id> id;
    std::optional<std::uint64_t> digest; // of what it said when it was written
    std::pmr::string section;            // the heading that it stands under; empty: of no section
    std::pmr::string time;               // of a day's entry, as far as it is said: "09:15"

    // Of an episode, normal (text.h).
    std::pmr::string content;
    std::pmr::string response;
    // Of a fact, normal.
    std::pmr::string subject;
    std::pmr::string predicate;
    std::pmr::string object;

    Attributes attributes;
};

// Of what an entry says.
std::uint64_t digest_of(const Entry &entry);

// What is wrong with a file, and where.
struct Fault {
    std::size_t line; // from 1
    const char *what;
};

struct Document {
    explicit Document(std::pmr::memory_resource *memory) : entries(memory) {}

    std::pmr::vector<Entry> entries;
    std::optional<Fault> fault; // then entries are only those before it
};

// Reads a file of notes or of a day.
Document parse(std::string_view body, File file, text::Interruption &interruption,
               std::pmr::memory_resource *memory);

// Writes such a file, entry by entry: facts first, then those of a section side by side.
class Printer {
  public:
    // `title` is a line.
    Printer(File file, std::string_view title, std::pmr::string &to);

    // Its digest is that of what it says, whatever it is given with.
    void add(const Entry &entry);

  private:
    void begin_section(const Entry &entry);

    File file_;
    std::pmr::string &to_;
    std::pmr::string section_; // that it is in
    bool facts_ = false;       // whether that is the one of facts
    bool under_heading_;       // days begin without one
};

} // namespace memory::markdown
