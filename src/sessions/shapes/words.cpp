// Two short lists, looked through from their beginnings.
#include "sessions/shapes/words.h"

#include <algorithm>

namespace memory::sessions::shapes {

namespace {

struct Word {
    std::string_view word;
    Role role;
};

constexpr Word words[] = {
    {"user", Role::user},           {"human", Role::user},
    {"HumanMessage", Role::user},   {"assistant", Role::assistant},
    {"ai", Role::assistant},        {"model", Role::assistant},
    {"AIMessage", Role::assistant}, {"system", Role::system},
    {"developer", Role::system},    {"SystemMessage", Role::system},
    {"tool", Role::tool},           {"function", Role::tool},
    {"ToolMessage", Role::tool},    {"FunctionMessage", Role::tool},
};

// Calls stand with their answers: neither is of use without the other.
constexpr std::string_view tool_items[] = {
    "apply_patch_call",        "apply_patch_call_output",
    "code_interpreter_call",   "computer_call",
    "computer_call_output",    "custom_tool_call",
    "custom_tool_call_output", "file_search_call",
    "function_call",           "function_call_output",
    "image_generation_call",   "local_shell_call",
    "local_shell_call_output", "mcp_approval_request",
    "mcp_approval_response",   "mcp_call",
    "mcp_list_tools",          "program",
    "program_output",          "shell_call",
    "shell_call_output",       "tool_search_call",
    "tool_search_output",      "web_search_call",
};

} // namespace

std::optional<Role> role_of(std::string_view word) noexcept {
    constexpr std::string_view chunk = "MessageChunk"; // of a message that was streamed
    if (word.ends_with(chunk))
        word.remove_suffix(std::string_view("Chunk").size());
    const Word *found = std::ranges::find(words, word, &Word::word);
    return found != std::end(words) ? std::optional(found->role) : std::nullopt;
}

std::optional<Role> role_of_item(std::string_view type) noexcept {
    if (type == "reasoning")
        return Role::assistant;
    return std::ranges::find(tool_items, type) != std::end(tool_items) ? std::optional(Role::tool)
                                                                       : std::nullopt;
}

} // namespace memory::sessions::shapes
