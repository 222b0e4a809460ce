// The arguments of an SQL function as its declaration lists them, known at compile time: what a
// function reads is found by name, and a name or a type that is not there does not compile.
// Pure: no PostgreSQL header.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace memory::pg {

// One of the names.
struct Field {
    int place = 0;
    std::string_view name;
};

// "query text, k bigint, since timestamptz": names and types, without defaults.
class Signature {
  public:
    struct Argument {
        std::string_view name;
        std::string_view type;
    };
    static constexpr std::size_t most = 24;

    consteval explicit Signature(std::string_view written) {
        while (!written.empty()) {
            const std::size_t end = std::min(written.find(','), written.size());
            add(trimmed(written.substr(0, end)));
            written.remove_prefix(std::min(end + 1, written.size()));
        }
    }

    constexpr std::size_t size() const noexcept { return size_; }
    constexpr const Argument &operator[](std::size_t n) const { return arguments_[n]; }

    constexpr bool has(std::string_view name) const {
        for (std::size_t n = 0; n < size_; ++n)
            if (arguments_[n].name == name)
                return true;
        return false;
    }

    // Whether there is such an argument, and of this type, is decided by the compiler.
    consteval Field field(std::string_view name, std::string_view type) const {
        for (std::size_t n = 0; n < size_; ++n)
            if (arguments_[n].name == name) {
                if (arguments_[n].type != type)
                    argument_is_of_another_type();
                return {static_cast<int>(n), arguments_[n].name};
            }
        there_is_no_such_argument();
        return {};
    }

  private:
    // Called where the compiler must refuse: they are not constexpr.
    static void there_is_no_such_argument() {}
    static void argument_is_of_another_type() {}
    static void argument_has_no_type() {}

    static consteval std::string_view trimmed(std::string_view part) {
        constexpr std::string_view blanks = " \n\t";
        while (!part.empty() && blanks.find(part.front()) != blanks.npos)
            part.remove_prefix(1);
        while (!part.empty() && blanks.find(part.back()) != blanks.npos)
            part.remove_suffix(1);
        return part;
    }

    consteval void add(std::string_view argument) {
        const std::size_t blank = argument.find(' ');
        if (blank == argument.npos)
            argument_has_no_type();
        arguments_[size_++] = {argument.substr(0, blank), trimmed(argument.substr(blank))};
    }

    std::array<Argument, most> arguments_{};
    std::size_t size_ = 0;
};

} // namespace memory::pg
