// See settings.h.
#include "episodes/settings.h"

#include "access/scope.h"
#include "pg/entry.h"

namespace memory::episodes {

namespace {

constinit int max_content_kilobytes = 1024;
constinit char *model = nullptr;

bool check_model(char **value, void **, GucSource) {
    return pg::entry([value] {
        if (*value != nullptr && **value != '\0' && std::strlen(*value) <= access::longest_id)
            return true;
        GUC_check_errdetail("It must have between 1 and 512 bytes.");
        return false;
    });
}

} // namespace

void define_settings() {
    DefineCustomIntVariable("memory.max_content", "The longest content or response of an episode.",
                            nullptr, &max_content_kilobytes, 1024, 1, 256 * 1024, PGC_USERSET,
                            GUC_UNIT_KB, nullptr, nullptr, nullptr);
    DefineCustomStringVariable("memory.embedding_model",
                               "The model that embeddings come from, on writing and on recall.",
                               "Vectors of different models are never compared.", &model, "default",
                               PGC_USERSET, 0, check_model, nullptr, nullptr);
}

std::size_t max_content() { return static_cast<std::size_t>(max_content_kilobytes) * 1024; }

std::string_view embedding_model() { return model; }

} // namespace memory::episodes
