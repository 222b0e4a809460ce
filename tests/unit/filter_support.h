// JSON for the tests of filters: read from text, and written again.
#pragma once

#include "filter/language/parser.h"

#include <cstdlib>
#include <deque>
#include <string>
#include <utility>

namespace memory::filter::language {

// A well-formed text; numbers keep their digits. Values live as long as the document.
class TestDocument final : public JsonReader {
  public:
    explicit TestDocument(std::string text) : text_(std::move(text)), root_(value()) {}

    const Json &root() const { return root_; }

    void read_members(const Json &object, std::pmr::vector<Member> &to) override {
        const auto &all = *static_cast<const std::deque<Member> *>(object.place);
        to.insert(to.end(), all.begin(), all.end());
    }
    void read_elements(const Json &array, std::pmr::vector<Json> &to) override {
        const auto &all = *static_cast<const std::deque<Json> *>(array.place);
        to.insert(to.end(), all.begin(), all.end());
    }
    void write_number(const Json &number, std::pmr::string &to) override {
        to += *static_cast<const std::string *>(number.place);
    }

    std::string shown(const Json &json) {
        switch (json.type) {
        case Json::Type::null:
            return "null";
        case Json::Type::boolean:
            return json.truth ? "true" : "false";
        case Json::Type::number:
            return *static_cast<const std::string *>(json.place);
        case Json::Type::string:
            return '"' + std::string(json.text) + '"';
        case Json::Type::array:
            return '[' + std::to_string(json.size) + ']';
        default:
            return "{}";
        }
    }

  private:
    char next() {
        while (text_[at_] == ' ')
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
    Json value() {
        Json json;
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
            json.type = Json::Type::object;
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
            json.type = Json::Type::array;
            json.size = static_cast<std::uint32_t>(elements.size());
            json.place = &elements;
            return json;
        }
        case '"':
            json.type = Json::Type::string;
            json.text = strings_.emplace_back(string());
            return json;
        default:
            return word();
        }
    }
    Json word() {
        std::string word;
        while (at_ < text_.size() && std::string_view(",]} ").find(text_[at_]) == std::string::npos)
            word += text_[at_++];
        Json json;
        json.type = word == "null"                      ? Json::Type::null
                    : word == "true" || word == "false" ? Json::Type::boolean
                                                        : Json::Type::number;
        json.truth = word == "true";
        json.place = &strings_.emplace_back(word);
        return json;
    }

    std::string text_;
    std::size_t at_ = 0;
    std::deque<std::string> strings_;
    std::deque<std::deque<Member>> objects_;
    std::deque<std::deque<Json>> arrays_;
    Json root_;
};

} // namespace memory::filter::language
