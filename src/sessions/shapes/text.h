// The text of a message, gathered from the parts that are text.
#pragma once

#include "sessions/shapes/fields.h"

namespace memory::sessions::shapes {

class Text {
  public:
    explicit Text(Fields &fields) : fields_(fields), text_(fields.memory()) {}

    // A string, a part, a list of both, or what has such a list under `parts`.
    void add_content(const json::Value &content);

    // Each part begins on a line of its own. Empty parts and blank ones are none.
    std::pmr::string finished() { return std::move(text_); }

  private:
    void add(std::string_view part);
    void add_part(const json::Value &part);
    void add_list(const json::Value &list);

    Fields &fields_;
    std::pmr::string text_;
};

} // namespace memory::sessions::shapes
