// Opens the index by its name, and looks whether its columns are those of every table of vectors.
#include "models/code_index.h"

#include "index/nearest_codes.h"

extern "C" {
#include "utils/lsyscache.h"
#include "utils/rel.h"
}

namespace memory::models {

namespace {

// Whether the columns of an index are these of the table's, and no others.
bool is_on(Relation index, Relation table, std::span<const char *const> columns) {
    if (static_cast<std::size_t>(index->rd_index->indnatts) != columns.size())
        return false;
    return pg::call([=] {
        for (std::size_t at = 0; at < columns.size(); ++at)
            if (index->rd_index->indkey.values[at] !=
                get_attnum(RelationGetRelid(table), columns[at]))
                return false;
        return true;
    });
}

} // namespace

CodeIndex::CodeIndex(const schema::OpenTable &vectors, const char *name) {
    static constexpr const char *columns[] = {"namespace", "user_id", "model", "embedding"};
    const Oid index = vectors.place().index(name);
    if (!OidIsValid(index))
        return;
    index_.emplace(index, AccessShareLock);
    usable_ = is_on(index_->get(), vectors.get(), columns) &&
              index::has_codes(index_->get(), std::size(columns) - 1);
}

} // namespace memory::models
