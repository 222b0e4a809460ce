// memory-worker: options, the key, one loop, and what its end means to those that started it.
#include "worker/files.h"
#include "worker/worker.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <vector>

namespace memory::worker {

namespace {

enum Exit { well = 0, internal = 1, bad_options = 2, no_database = 3, not_set_up = 4, undone = 5 };

std::string environment(const char *name) {
    const char *value = std::getenv(name);
    return value == nullptr ? "" : value;
}

// Choosing by configuration: with a key the small model of OpenAI, else the database's own.
int choose(const Options &options, const std::string &key) {
    Database database(options.connection);
    const bool has_model = !options.model.empty();
    const std::string model = has_model     ? options.model
                              : key.empty() ? "hash"
                                            : "text-embedding-3-small";
    const std::string used = database.choose(model, model == "hash" ? "" : options.url);
    std::printf("%s\n", used.c_str());
    return well;
}

int run(const Options &options) {
    const std::string key = read_key(options.key_file);
    if (options.choose)
        return choose(options, key);
    const Asking asking(options, key, environment("OPENAI_BASE_URL"));
    Report report(options.log, options.metrics);
    Worker worker(options, asking, report);
    const bool is_all_done = worker.run();
    return options.once && !is_all_done ? undone : well;
}

int failed(Exit status, const char *why) {
    std::fprintf(stderr, "memory-worker: %s\n", why);
    return status;
}

int start(const std::vector<std::string_view> &words) {
    const Options options = parse_options(words);
    if (options.help)
        std::printf("%s", usage().data());
    else if (options.version)
        std::printf("memory-worker %s\n", MEMORY_VERSION);
    else
        return run(options);
    return well;
}

// The status of the program.
int program(const std::vector<std::string_view> &words) {
    try {
        curl_global_init(CURL_GLOBAL_DEFAULT);
        return start(words);
    } catch (const BadOption &mistake) {
        return failed(bad_options, mistake.what());
    } catch (const NotConnected &lost) {
        return failed(no_database, lost.what());
    } catch (const Refused &refused) {
        return failed(refused.is_about_setup() ? not_set_up : internal, refused.what());
    } catch (const std::exception &other) {
        return failed(internal, other.what());
    }
}

} // namespace

} // namespace memory::worker

int main(int count, char **words) { return memory::worker::program({words + 1, words + count}); }
