// Writes and reads one file of the shared set. A record is its size, four bytes, and what was
// sorted.
#include "index/run_file.h"

#include "pg/error.h"

namespace memory::index {

namespace {

using Size = std::uint32_t;

using Name = std::array<char, 16>;

Name name_of(std::uint32_t number) {
    Name name{};
    std::snprintf(name.data(), name.size(), "%u", number);
    return name;
}

} // namespace

void write_file(SharedFileSet *files, std::uint32_t number, RecordSort &sort, FileParts &parts) {
    const Name name = name_of(number);
    BufFile *file = pg::call([&] { return BufFileCreateFileSet(&files->fs, name.data()); });
    while (const std::optional<SortedRecord> sorted = sort.next()) {
        FilePart &part = parts[sorted->partition];
        const codec::Bytes bytes = sorted->whole;
        auto size = static_cast<Size>(bytes.size());
        pg::call([&] {
            CHECK_FOR_INTERRUPTS();
            if (part.records == 0)
                BufFileTell(file, &part.segment, &part.offset);
            BufFileWrite(file, &size, sizeof size);
            BufFileWrite(file, const_cast<std::uint8_t *>(bytes.data()), size);
        });
        ++part.records;
        part.bytes += size;
    }
    pg::call([file] {
        BufFileExportFileSet(file);
        BufFileClose(file);
    });
}

RunFile::RunFile(SharedFileSet *files, std::uint32_t number, std::pmr::memory_resource *memory)
    : file_(pg::call(
          [=] { return BufFileOpenFileSet(&files->fs, name_of(number).data(), O_RDONLY, false); })),
      bytes_(memory) {}

RunFile::~RunFile() {
    if (file_ != nullptr)
        pg::release([this] { BufFileClose(file_); });
}

void RunFile::begin(const FilePart &part) {
    left_ = part.records;
    if (left_ > 0 &&
        pg::call([&] { return BufFileSeek(file_, part.segment, part.offset, SEEK_SET); }) != 0)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a temporary file ends before its time");
}

bool RunFile::next() {
    if (left_ == 0)
        return false;
    --left_;
    Size size = 0;
    read(&size, sizeof size);
    bytes_.resize(size);
    read(bytes_.data(), size);
    return true;
}

void RunFile::read(void *to, std::size_t size) {
#if PG_VERSION_NUM >= 160000
    pg::call([&] { BufFileReadExact(file_, to, size); });
#else
    if (pg::call([&] { return BufFileRead(file_, to, size); }) != size)
        throw pg::Error(ERRCODE_INTERNAL_ERROR, "a temporary file ends before its time");
#endif
}

} // namespace memory::index
