// Any query over any text: a highlighted text is the text and tags, a fragment a part of it; the
// distinct terms are what was counted.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "text/highlight.h"
#include "text/terms.h"
#include "unit/text_support.h"

namespace {

using namespace memory::text;
using text_test::Found;
using text_test::Texts;

constexpr std::string_view open_tag = "\x01<";
constexpr std::string_view close_tag = "\x01>";
constexpr std::string_view gap = "\x01|";

void require(bool holds, const char *what) {
    if (!holds) {
        std::fprintf(stderr, "broken: %s\n", what);
        std::abort();
    }
}

std::string without(std::string_view text, std::string_view tag) {
    std::string rest;
    for (std::size_t at = 0; at < text.size();)
        if (text.substr(at, tag.size()) == tag)
            at += tag.size();
        else
            rest += text[at++];
    return rest;
}

void check_highlight(Texts &texts, std::string_view text, std::string_view query,
                     std::size_t max_fragments) {
    std::pmr::string marked;
    HighlightOptions options{open_tag, close_tag, max_fragments, 30, gap};
    highlight(texts.analyzer(), text, query, options, std::pmr::get_default_resource(), marked);
    const std::string plain = without(without(marked, open_tag), close_tag);
    if (max_fragments == 0) {
        require(plain == text, "highlighting adds tags only");
        return;
    }
    std::size_t from = 0;
    for (std::size_t at = 0; at <= plain.size();) {
        const std::size_t end = std::min(plain.find(gap, at), plain.size());
        const std::size_t found = text.find(plain.substr(at, end - at), from);
        require(found != std::string_view::npos, "fragments are parts of the text, in its order");
        from = found;
        at = end + gap.size();
    }
}

void check_terms(Texts &texts, std::string_view text) {
    Terms terms(std::pmr::get_default_resource());
    texts.analyzer().analyze(text, terms);
    std::map<std::string, std::uint32_t> expected;
    for (const Found &token : texts.analyze(text))
        ++expected[(token.weight == Weight::weak ? "\x01" : "") + token.term];
    auto next = expected.begin();
    for (const TermCount &term : terms.document()) {
        require(next != expected.end() && next->first == term.term && next->second == term.count,
                "a document's terms are its tokens, counted and in order");
        ++next;
    }
    require(next == expected.end(), "no term is missing");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char *data, std::size_t size) {
    static Texts texts;
    const std::string_view all(reinterpret_cast<const char *>(data), size);
    if (size < 2 || all.find('\x01') != std::string_view::npos)
        return 0;
    const std::size_t split = std::min<std::size_t>(data[0], size - 1);
    const std::string_view query = all.substr(1, split);
    const std::string_view text = all.substr(1 + split);
    for (const std::size_t max_fragments : {0U, 1U, 3U})
        check_highlight(texts, text, query, max_fragments);
    check_terms(texts, text);
    return 0;
}
