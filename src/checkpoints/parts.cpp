// Finds parts by name and version, and writes new ones.
#include "checkpoints/parts.h"

#include "checkpoints/sql.h"
#include "pg/statement.h"

namespace memory::checkpoints {

namespace {

// $5 and $6 names and versions. Each by the index, as in versions.cpp.
MEMORY_STATEMENT(find_by_name, R"(
    SELECT p.name, p.version, p.type, p.number, p.has_data
    FROM ROWS FROM (unnest($5::text[]), unnest($6::text[])) w (name, version)
        CROSS JOIN LATERAL (SELECT p.name, p.version, p.type, p.number, p.has_data
                            FROM memory.checkpoint_parts p
                            WHERE {of_path:p} AND {same:p.name,w.name}
                                AND {same:p.version,w.version} LIMIT 1) p)"_sql,
                 pg::Statement::once);

MEMORY_STATEMENT(insert_part, R"(
    INSERT INTO memory.checkpoint_parts
        (namespace, user_id, session, path, number, name, version, type, has_data)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9))"_sql);

} // namespace

std::pmr::vector<Part> find_parts(const Path &path, std::span<const Ref> wanted,
                                  pg::SnapshotOf snapshot, std::pmr::memory_resource *memory) {
    std::pmr::vector<Part> parts(memory);
    if (wanted.empty())
        return parts;
    std::pmr::vector<std::string_view> names(memory);
    std::pmr::vector<std::string_view> versions(memory);
    for (const Ref &ref : wanted) {
        names.push_back(ref.name);
        versions.push_back(ref.version);
    }
    const pg::Rows rows = find_by_name.run(snapshot, {path, names, versions});
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        const auto [name, version, type, number, has_data] =
            rows.get<pg::Text, pg::Text, pg::Text, pg::Int8, pg::Bool>(row);
        parts.push_back({{pg::copied_text(name), pg::copied_text(version)},
                         pg::copied_text(type),
                         has_data ? std::optional(number) : std::nullopt});
    }
    std::sort(parts.begin(), parts.end(),
              [](const Part &a, const Part &b) { return a.ref < b.ref; });
    return parts;
}

const Part *find(std::span<const Part> parts, const Ref &ref) {
    const auto found =
        std::lower_bound(parts.begin(), parts.end(), ref,
                         [](const Part &part, const Ref &wanted) { return part.ref < wanted; });
    return found != parts.end() && found->ref == ref ? &*found : nullptr;
}

std::int64_t write_parts(const Path &path, std::span<const GivenPart> given, const Refs &before,
                         Versions &versions, std::int64_t number,
                         std::pmr::memory_resource *memory) {
    Refs wanted(memory);
    for (const GivenPart &part : given) {
        wanted.push_back(part.ref);
        if (const Ref *base = find(before, part.ref.name); base != nullptr && *base != part.ref)
            wanted.push_back(*base);
    }
    const std::pmr::vector<Part> known = find_parts(path, wanted, pg::SnapshotOf::now, memory);
    const std::int64_t first = number;
    for (const GivenPart &part : given) {
        if (find(known, part.ref) != nullptr)
            continue;
        insert_part.write(
            {path, number, part.ref.name, part.ref.version, part.type, part.data.has_value()},
            "checkpoint_parts");
        const Ref *base_ref = find(before, part.ref.name);
        const Part *base = base_ref != nullptr ? find(known, *base_ref) : nullptr;
        if (part.data)
            versions.write(number, *part.data, base != nullptr ? base->number : std::nullopt);
        ++number;
    }
    return number - first;
}

} // namespace memory::checkpoints
