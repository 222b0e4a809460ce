// Sorted records in temporary files that several processes share: each writes one, all read all.
#pragma once

#include "index/record_sort.h"

extern "C" {
#include "storage/buffile.h"
#include "storage/sharedfileset.h"
}

namespace memory::index {

// Where a partition's records begin in a file, and how many there are.
struct FilePart {
    int segment;
    off_t offset;
    std::uint64_t records;
    std::uint64_t bytes;
};

using FileParts = std::array<FilePart, partitions>;

// Writes what `sort`, which is finished, has into the file `number` of `files`, and where it is
// into `parts`.
void write_file(SharedFileSet *files, std::uint32_t number, RecordSort &sort, FileParts &parts);

// One file, read a partition at a time.
class RunFile {
  public:
    RunFile(SharedFileSet *files, std::uint32_t number, std::pmr::memory_resource *memory);
    RunFile(RunFile &&other) noexcept
        : file_(std::exchange(other.file_, nullptr)), left_(other.left_),
          bytes_(std::move(other.bytes_)) {}
    RunFile &operator=(RunFile &&) = delete;
    ~RunFile();

    void begin(const FilePart &part);
    // Reads the next record; false behind the last.
    bool next();
    codec::Bytes record() const noexcept { return bytes_; }

  private:
    void read(void *to, std::size_t size);

    BufFile *file_;
    std::uint64_t left_ = 0;
    codec::ByteBuffer bytes_;
};

} // namespace memory::index
