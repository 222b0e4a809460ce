#include "json_lines.h"

#include <cstdio>
#include <memory>
#include <stdexcept>

#include "text/utf8.h"

namespace quality {

namespace {

// Just enough JSON for objects of strings, numbers and arrays of strings.
class Reader {
  public:
    explicit Reader(std::string_view json) : rest_(json) {}

    Line line() {
        Line line;
        expect('{');
        while (!accept('}')) {
            const std::string key = string();
            expect(':');
            if (key == "id")
                line.id = scalar();
            else if (key == "text")
                line.text = string();
            else if (key == "lang")
                line.lang = string();
            else if (key == "evidence")
                line.evidence = strings();
            else
                skip();
            accept(',');
        }
        return line;
    }

  private:
    void space() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t'))
            rest_.remove_prefix(1);
    }
    char peek() {
        space();
        if (rest_.empty())
            throw std::runtime_error("a line ends early");
        return rest_.front();
    }
    bool accept(char wanted) {
        if (peek() != wanted)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char wanted) {
        if (!accept(wanted))
            throw std::runtime_error(std::string("expected ") + wanted + " before " +
                                     std::string(rest_.substr(0, 20)));
    }
    char next() {
        const char byte = rest_.at(0);
        rest_.remove_prefix(1);
        return byte;
    }

    char32_t hexadecimal() {
        const auto value =
            static_cast<char32_t>(std::stoul(std::string(rest_.substr(0, 4)), nullptr, 16));
        rest_.remove_prefix(4);
        return value;
    }

    char32_t escaped() {
        switch (const char byte = next()) {
        case 'n':
            return '\n';
        case 't':
            return '\t';
        case 'r':
            return '\r';
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'u': {
            const char32_t unit = hexadecimal();
            if (unit < 0xD800 || unit > 0xDBFF)
                return unit;
            rest_.remove_prefix(2);
            return 0x10000 + ((unit & 0x3FF) << 10) + (hexadecimal() & 0x3FF);
        }
        default:
            return static_cast<char32_t>(byte);
        }
    }

    std::string string() {
        expect('"');
        std::pmr::string value;
        while (rest_.at(0) != '"') {
            const char byte = next();
            if (byte == '\\')
                memory::text::append(value, escaped());
            else
                value.push_back(byte);
        }
        next();
        return std::string(value);
    }

    std::string scalar() {
        if (peek() == '"')
            return string();
        const std::size_t end = rest_.find_first_of(",}] ");
        std::string value(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return value;
    }

    std::vector<std::string> strings() {
        std::vector<std::string> values;
        expect('[');
        while (!accept(']')) {
            values.push_back(scalar());
            accept(',');
        }
        return values;
    }

    void skip() {
        if (peek() == '[')
            strings();
        else
            scalar();
    }

    std::string_view rest_;
};

struct Close {
    void operator()(std::FILE *pipe) const { pclose(pipe); }
};

} // namespace

void read_lines(const std::string &path, const std::function<void(const Line &)> &use) {
    const std::unique_ptr<std::FILE, Close> pipe(popen(("gzip -dc '" + path + "'").c_str(), "r"));
    if (!pipe)
        throw std::runtime_error("cannot read " + path);
    char *buffer = nullptr;
    std::size_t capacity = 0;
    while (const auto size = getline(&buffer, &capacity, pipe.get())) {
        if (size < 0)
            break;
        use(Reader({buffer, static_cast<std::size_t>(size)}).line());
    }
    std::free(buffer);
}

} // namespace quality
