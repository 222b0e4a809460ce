// Keeps what is open of a name and of a path, and emits each when it ends.
#include "text/compound.h"

#include "text/characters.h"
#include "text/utf8.h"

namespace memory::text {

namespace {

constexpr std::size_t most_name_joiners = 2; // foo__bar
constexpr std::size_t most_path_joiners = 3; // http://

} // namespace

Compounds::Glue Compounds::glue_before(std::uint32_t begin) const {
    bool names = true;
    std::size_t joiners = 0;
    for (std::size_t at = end_; at < begin; ++joiners) {
        const Decoded next = decode(text_, at);
        const char joiner = joiner_of(next.point);
        if (joiner == 0 || joiners == most_path_joiners)
            return Glue::none;
        names &= glues_names(joiner);
        at += next.size;
    }
    return names && joiners <= most_name_joiners ? Glue::name : Glue::path;
}

void Compounds::extend(std::uint32_t begin) {
    switch (glue_before(begin)) {
    case Glue::name:
        break;
    case Glue::path:
        finish_name();
        break;
    case Glue::none:
        end();
        break;
    }
}

void Compounds::finish_name() {
    if (name_.atoms > 1)
        emit(name_);
    name_.atoms = 0;
}

void Compounds::finish_path() {
    const bool more_than_a_name = path_.atoms > name_.atoms;
    finish_name();
    if (more_than_a_name)
        emit(path_);
}

void Compounds::emit(const Level &level) {
    term_.clear();
    folder_.fold_whole(text_.substr(level.begin, end_ - level.begin), term_);
    if (!term_.empty())
        sink_.take({term_.finish(), level.ordinal, level.begin, end_, Weight::word});
}

} // namespace memory::text
