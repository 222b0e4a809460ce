// One block on its way to be changed.
#pragma once

#include "blocks/names.h"
#include "pg/uuid.h"

namespace memory::blocks {

// A block whose name is locked (lock_names), and its row too, against statements that are no calls.
struct Block {
    pg_uuid_t key;
    std::int64_t version;
    std::optional<std::int64_t> place; // in the table; nothing where it is not pinned
    std::optional<std::int64_t> char_limit;
    bool read_only;
};

// What only functions know that read it.
struct Text {
    Block block;
    std::string_view content; // in the current memory context
};

// The block of this name with what it says, if there is one; its row is locked until the
// transaction ends. Needs the lock of the name.
std::optional<Text> lock_text(const access::Tenant &tenant, std::string_view name);

// 42501 for a block that is read-only.
void check_writable(std::string_view name, bool read_only);

// 54000 for a content that is longer than the block's limit, or than memory.max_content.
void check_length(std::string_view name, std::string_view content,
                  std::optional<std::int64_t> char_limit);

// The version that a caller expects: 0 that there is none (23505), another that it is still there
// and has this one (40001). `found` is its version, if there is one.
void check_version(std::string_view name, std::optional<std::int64_t> expected,
                   std::optional<std::int64_t> found);

// The argument expected_version.
std::optional<std::int64_t> checked_version(const pg::Given<std::int64_t> &given);

// What a block begins with.
struct Attributes {
    std::optional<bool> pinned; // nothing: unless it is a file
    std::optional<std::int64_t> char_limit;
    bool read_only = false;
    std::optional<pg::Document> metadata; // {} without
};

// Makes a block; returns its version. An error where the name is taken, or the content too long.
// Needs the lock of the name.
std::int64_t make(const access::Tenant &tenant, std::string_view name, std::string_view content,
                  const Attributes &attributes);

// Writes what a block says from now on; returns its version, which is a new one only where the
// content is. An error where the block is read-only, or the content too long.
std::int64_t change(const access::Tenant &tenant, std::string_view name, const Text &text,
                    std::string_view content);

} // namespace memory::blocks
