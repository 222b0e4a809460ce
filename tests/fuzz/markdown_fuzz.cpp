// Files of any bytes: what is read of one, printed, is read as the same again; and what a memory
// says comes back in its normal form, whatever it says.
#include "moving/markdown/document.h"
#include "moving/markdown/text.h"

#include <cstdlib>

namespace {

using namespace memory::markdown;

std::pmr::memory_resource *heap() { return std::pmr::get_default_resource(); }

void require(bool holds) {
    if (!holds)
        std::abort();
}

void check_same(const Entry &a, const Entry &b) {
    require(a.thing == b.thing && a.id == b.id && a.content == b.content &&
            a.response == b.response);
    require(a.subject == b.subject && a.predicate == b.predicate && a.object == b.object);
    require(a.attributes == b.attributes && a.time == b.time && a.section == b.section);
    require(b.digest == digest_of(b));
}

void check_printed(std::pmr::vector<Entry> &entries, File file) {
    std::pmr::string body(heap());
    Printer printer(file, "Memory", body);
    for (Entry &entry : entries) {
        if (!entry.id)
            entry.id = Id{};
        if (file == File::day && entry.time.empty())
            entry.time = "00:00";
        printer.add(entry);
    }
    const Document again = parse(body, file, memory::text::Interruption::none(), heap());
    require(!again.fault && again.entries.size() == entries.size());
    for (std::size_t n = 0; n < entries.size(); ++n)
        check_same(entries[n], again.entries[n]);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const std::string_view body(reinterpret_cast<const char *>(data), size);
    for (const File file : {File::notes, File::day}) {
        Document document = parse(body, file, memory::text::Interruption::none(), heap());
        check_printed(document.entries, file);
    }
    std::pmr::vector<Entry> entries(heap());
    Entry &entry = entries.emplace_back(heap());
    entry.content = normal(body.substr(0, size / 2), heap());
    entry.response = normal(body.substr(size / 2), heap());
    entry.attributes.kind = body.substr(0, body.find('\0'));
    if (!entry.content.empty() || !entry.response.empty())
        for (const File file : {File::notes, File::day})
            check_printed(entries, file);
    static_cast<void>(file_at(body));
    return 0;
}
