// memory.embedding_model.
#include "models/settings.h"

#include "pg/entry.h"

namespace memory::models {

namespace {

constinit char *model = nullptr;

bool check_model(char **value, void **, GucSource) {
    return pg::entry([value] {
        if (*value != nullptr && **value != '\0' && std::strlen(*value) <= longest_name)
            return true;
        GUC_check_errdetail("It must have between 1 and 512 bytes.");
        return false;
    });
}

} // namespace

void define_settings() {
    DefineCustomStringVariable(
        "memory.embedding_model", "The model that embeddings come from, on writing and on recall.",
        "default is the one that memory.use_model('embed', …) names for the namespace; without "
        "one, it is a name as any. Vectors of different models are never compared.",
        &model, "default", PGC_USERSET, 0, check_model, nullptr, nullptr);
}

std::string_view embedding_model() { return model; }

} // namespace memory::models
