// JSON for tests of pure code: read from text, and written again.
#pragma once

#include "json/json.h"

#include <cstdlib>
#include <deque>
#include <string>
#include <utility>

namespace memory::json {

// A well-formed text; numbers keep their digits. Values live as long as the document.
class TestDocument final : public Reader {
  public:
    explicit TestDocument(std::string text) : text_(std::move(text)), root_(value()) {}

    const Value &root() const { return root_; }

    std::optional<Value> find(const Value &object, std::string_view key) override {
        for (const Member &member : *static_cast<const std::deque<Member> *>(object.place))
            if (member.key == key)
                return member.value;
        return std::nullopt;
    }
    void read_members(const Value &object, std::pmr::vector<Member> &to) override {
        const auto &all = *static_cast<const std::deque<Member> *>(object.place);
        to.insert(to.end(), all.begin(), all.end());
    }
    void read_elements(const Value &array, std::pmr::vector<Value> &to) override {
        const auto &all = *static_cast<const std::deque<Value> *>(array.place);
        to.insert(to.end(), all.begin(), all.end());
    }
    void write_number(const Value &number, std::pmr::string &to) override {
        to += *static_cast<const std::string *>(number.place);
    }

    std::string shown(const Value &json) {
        switch (json.type) {
        case Value::Type::null:
            return "null";
        case Value::Type::boolean:
            return json.truth ? "true" : "false";
        case Value::Type::number:
            return *static_cast<const std::string *>(json.place);
        case Value::Type::string:
            return '"' + std::string(json.text) + '"';
        case Value::Type::array:
            return '[' + std::to_string(json.size) + ']';
        default:
            return "{}";
        }
    }

  private:
    char next() {
        while (text_[at_] == ' ' || text_[at_] == '\n')
            ++at_;
        return text_[at_];
    }
    bool took(char c) {
        if (next() != c)
            return false;
        ++at_;
        return true;
    }
    std::string string() {
        std::string read;
        for (++at_; text_[at_] != '"'; ++at_) {
            if (text_[at_] == '\\')
                ++at_;
            read += text_[at_];
        }
        ++at_;
        return read;
    }
    Value value() {
        Value json;
        switch (next()) {
        case '{': {
            ++at_;
            auto &members = objects_.emplace_back();
            while (!took('}')) {
                took(',');
                next();
                const std::string &key = strings_.emplace_back(string());
                took(':');
                members.push_back({key, value()});
            }
            json.type = Value::Type::object;
            json.place = &members;
            return json;
        }
        case '[': {
            ++at_;
            auto &elements = arrays_.emplace_back();
            while (!took(']')) {
                took(',');
                elements.push_back(value());
            }
            json.type = Value::Type::array;
            json.size = static_cast<std::uint32_t>(elements.size());
            json.place = &elements;
            return json;
        }
        case '"':
            json.type = Value::Type::string;
            json.text = strings_.emplace_back(string());
            return json;
        default:
            return word();
        }
    }
    Value word() {
        std::string word;
        while (at_ < text_.size() && std::string_view(",]} ").find(text_[at_]) == std::string::npos)
            word += text_[at_++];
        Value json;
        json.type = word == "null"                      ? Value::Type::null
                    : word == "true" || word == "false" ? Value::Type::boolean
                                                        : Value::Type::number;
        json.truth = word == "true";
        json.place = &strings_.emplace_back(word);
        return json;
    }

    std::string text_;
    std::size_t at_ = 0;
    std::deque<std::string> strings_;
    std::deque<std::deque<Member>> objects_;
    std::deque<std::deque<Value>> arrays_;
    Value root_;
};

} // namespace memory::json
