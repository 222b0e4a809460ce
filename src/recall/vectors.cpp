// See vectors.h.
#include "recall/vectors.h"

#include "episodes/models.h"
#include "episodes/settings.h"
#include "pg/error.h"
#include "pg/memory.h"
#include "rank/cosine.h"
#include "recall/settings.h"
#include "recall/vector_index.h"
#include "recall/vector_scan.h"

namespace memory::recall {

namespace {

using pg::Access;
using pg::Parameter;

// The vector index is asked for so many.
constexpr std::size_t nearest_per_row = 4;
constexpr std::size_t least_nearest = 200;

#define OF_MODEL                                                                                   \
    "namespace OPERATOR(pg_catalog.=) $1 AND user_id OPERATOR(pg_catalog.=) $2"                    \
    " AND model OPERATOR(pg_catalog.=) $3"

constinit pg::Statement
    find_all("SELECT episode_id, embedding FROM memory.embeddings WHERE " OF_MODEL);

constinit pg::Statement
    find_some("SELECT episode_id, embedding FROM memory.embeddings WHERE " OF_MODEL
              " AND episode_id OPERATOR(pg_catalog.=) ANY ($4)");

[[noreturn]] void throw_dimensions(int given, int stored) {
    const pg::Quoted model(episodes::embedding_model());
    throw pg::Error(ERRCODE_DATA_EXCEPTION,
                    "embedding has %d dimensions, those of model \"%.*s\" have %d", given,
                    model.length, model.text, stored)
        .hint("memory.embedding_model says which model's embeddings are compared.");
}

void check_dimensions(const pg::Vector &embedding) {
    const auto declared = episodes::declared_dimensions(episodes::embedding_model());
    if (declared && *declared != embedding.dimensions)
        throw_dimensions(embedding.dimensions, *declared);
}

std::array<Parameter, 3> of_model(const access::Tenant &tenant) {
    return {tenant.name_space_parameter(), tenant.user_parameter(),
            Parameter::text(episodes::embedding_model())};
}

// Whether the tenant has more vectors than are compared one by one.
bool has_many(const access::Tenant &tenant, VectorScan &scan) {
    const auto most = static_cast<std::size_t>(exact_vector_rows());
    if (scan.allowed())
        return scan.find(most + 1) > most;
    static constinit pg::Statement find("SELECT 1 FROM memory.embeddings WHERE " OF_MODEL
                                        " OFFSET $4 LIMIT 1");
    const std::array model = of_model(tenant);
    const std::array parameters{model[0], model[1], model[2],
                                Parameter::of(INT8OID, Int64GetDatum(exact_vector_rows()))};
    return !find.run(parameters, Access::read).empty();
}

struct Stored {
    rank::RowId id;
    const pg::Vector *vector;
};

// A row of find_all or find_some. A vector out of line is brought into the current context.
Stored read(TupleTableSlot *row) {
    Stored stored;
    pg::call([&] {
        bool null;
        const Datum id = slot_getattr(row, 1, &null);
        const Datum vector = slot_getattr(row, 2, &null);
        stored.id = row_id(id);
        stored.vector = reinterpret_cast<const pg::Vector *>(PG_DETOAST_DATUM(vector));
    });
    return stored;
}

class Comparison {
  public:
    Comparison(const pg::Vector &embedding, double least, VectorHits &found)
        : cosine_(embedding.elements()), least_(least), found_(found),
          per_row_("memory: comparing vectors") {}

    void add(TupleTableSlot *row) {
        const pg::SwitchedContext switched(per_row_.get());
        const Stored stored = read(row);
        add(stored.id, *stored.vector);
        // Only vectors that lay out of line leave something behind.
        if (compared_ % 256 == 0)
            per_row_.reset();
    }

    void add_all(VectorScan &scan) {
        found_.reserve(scan.find());
        const pg::SwitchedContext switched(per_row_.get());
        scan.each([this](const VectorScan::Stored &stored) {
            add(stored.id, *stored.vector);
            if (compared_ % 256 == 0)
                per_row_.reset();
        });
    }

    // Those that the vector index knows as nearest: more than `best`, by which the best of them
    // become the true ones. False, and nothing is added, when it finds fewer.
    bool add_nearest(const access::Tenant &tenant, const pg::Vector &embedding, std::size_t best) {
        const std::size_t count = std::max(least_nearest, nearest_per_row * best);
        const pg::Rows rows = nearest(tenant, embedding, count);
        if (rows.size() < count)
            return false;
        for (std::uint64_t row = 0; row < rows.size(); ++row)
            add(row_id(*rows.value(row, 0)), pg::vector_view(*rows.value(row, 1)));
        return true;
    }

    void add(const rank::RowId &id, const pg::Vector &vector) {
        const std::span<const float> elements = vector.elements();
        ++compared_;
        if (elements.size() != cosine_.dimensions()) {
            ++misfits_;
            other_dimensions_ = vector.dimensions;
        } else if (const double cosine = cosine_.with(elements); cosine > least_) {
            found_.push_back({cosine, id});
        }
    }

    // An error when there are vectors, and none of them can be compared.
    void check() const {
        if (compared_ > 0 && misfits_ == compared_)
            throw_dimensions(static_cast<int>(cosine_.dimensions()), other_dimensions_);
    }

  private:
    rank::Cosine cosine_;
    double least_;
    VectorHits &found_;
    pg::TemporaryContext per_row_;
    std::size_t compared_ = 0;
    std::size_t misfits_ = 0;
    int other_dimensions_ = 0;
};

} // namespace

VectorHits similar(const access::Tenant &tenant, const pg::Vector &embedding, double least,
                   std::optional<std::size_t> best, std::pmr::memory_resource *memory) {
    check_dimensions(embedding);
    VectorHits found(memory);
    Comparison comparison(embedding, least, found);
    VectorScan scan(tenant, episodes::embedding_model(), GetActiveSnapshot(), memory);
    if (best && has_vector_index() && has_many(tenant, scan) &&
        comparison.add_nearest(tenant, embedding, *best))
        return found;
    if (scan.allowed())
        comparison.add_all(scan);
    else
        find_all.each(of_model(tenant), Access::read,
                      [&](TupleTableSlot *row) { comparison.add(row); });
    comparison.check();
    return found;
}

std::optional<std::pmr::vector<const pg::Vector *>>
embeddings_of(const access::Tenant &tenant, std::span<const rank::RowId> ids,
              std::pmr::memory_resource *memory) {
    std::pmr::vector<Datum> wanted(memory);
    rank::Positions<rank::RowId> places(memory);
    for (const rank::RowId &id : ids) {
        places.put(id, static_cast<std::uint32_t>(wanted.size()));
        wanted.push_back(PointerGetDatum(id.data()));
    }
    const std::array parameters{tenant.name_space_parameter(), tenant.user_parameter(),
                                Parameter::text(episodes::embedding_model()),
                                Parameter::array(UUIDOID, wanted)};
    const pg::Rows rows = find_some.run(parameters, Access::read);
    if (rows.size() < ids.size())
        return std::nullopt;
    std::pmr::vector<const pg::Vector *> found(ids.size(), memory);
    for (std::uint64_t row = 0; row < rows.size(); ++row) {
        found[*places.find(row_id(*rows.value(row, 0)))] = &pg::vector_view(*rows.value(row, 1));
    }
    return found;
}

} // namespace memory::recall
