// Options as a table: name, what it takes, what it sets.
#include "worker/protocol/options.h"

#include <algorithm>
#include <charconv>

namespace memory::worker {

namespace {

[[noreturn]] void refuse(std::string_view option, std::string_view why) {
    throw BadOption("--" + std::string(option) + " " + std::string(why));
}

long number_in(std::string_view option, std::string_view value, long least, long most) {
    long number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || number < least ||
        number > most)
        refuse(option, "takes a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most) + ", not \"" + std::string(value) + "\"");
    return number;
}

template <typename Choice, std::size_t count>
Choice choice_in(std::string_view option, std::string_view value,
                 const std::array<std::string_view, count> &names) {
    const auto name = std::ranges::find(names, value);
    if (name == names.end()) {
        std::string all;
        for (const std::string_view each : names)
            all += (all.empty() ? "" : ", ") + std::string(each);
        refuse(option, "is one of " + all + ", not \"" + std::string(value) + "\"");
    }
    return static_cast<Choice>(name - names.begin());
}

// What an option is about, and its name and value for messages.
struct Given {
    Options &options;
    std::string_view name;
    std::string_view value;

    long number(long least, long most) const { return number_in(name, value, least, most); }
    std::size_t size(long least, long most) const {
        return static_cast<std::size_t>(number(least, most));
    }
    std::chrono::seconds seconds(long least) const {
        return std::chrono::seconds(number(least, 86400));
    }
    std::string text() const { return std::string(value); }
};

struct Option {
    std::string_view name;
    bool takes_value;
    void (*set)(const Given &given);
};

void set_prompt(const Given &given) {
    const std::size_t equals = given.value.find('=');
    if (equals == std::string_view::npos)
        refuse(given.name, "takes TASK=FILE");
    const auto task = task_named(given.value.substr(0, equals));
    if (!task || *task == Task::embed)
        refuse(given.name, "is for extract, summarize or profile");
    given.options.prompts[static_cast<std::size_t>(*task)] = given.value.substr(equals + 1);
}

void add_task(const Given &given) {
    if (!task_named(given.value))
        refuse(given.name, "is one of embed, extract, summarize, profile");
    given.options.tasks.emplace_back(given.value);
}

constexpr std::array<std::string_view, 3> headers{"auto", "bearer", "api-key"};
constexpr std::array<std::string_view, 4> logs{"auto", "line", "json", "none"};

constexpr Option all[] = {
    {"url", true, [](const Given &g) { g.options.url = g.text(); }},
    {"model", true, [](const Given &g) { g.options.model = g.text(); }},
    {"task", true, add_task},
    {"dimensions", true,
     [](const Given &g) { g.options.dimensions = static_cast<int>(g.number(1, 16000)); }},
    {"key-file", true, [](const Given &g) { g.options.key_file = g.text(); }},
    {"key-host", true, [](const Given &g) { g.options.key_hosts.push_back(g.text()); }},
    {"header", true,
     [](const Given &g) { g.options.header = choice_in<Header>(g.name, g.value, headers); }},
    {"ca-file", true, [](const Given &g) { g.options.ca_file = g.text(); }},
    {"batch", true, [](const Given &g) { g.options.batch.texts = g.size(1, 2048); }},
    {"batch-bytes", true, [](const Given &g) { g.options.batch.bytes = g.size(1024, 1 << 26); }},
    {"requests", true, [](const Given &g) { g.options.requests = g.size(1, 64); }},
    {"timeout", true, [](const Given &g) { g.options.timeout = g.seconds(1); }},
    {"connect-timeout", true, [](const Given &g) { g.options.connect_timeout = g.seconds(1); }},
    {"lease", true, [](const Given &g) { g.options.lease = g.seconds(2); }},
    {"poll", true,
     [](const Given &g) { g.options.poll = std::chrono::milliseconds(g.number(50, 60000)); }},
    {"prompt", true, set_prompt},
    {"metrics", true, [](const Given &g) { g.options.metrics = g.text(); }},
    {"log", true, [](const Given &g) { g.options.log = choice_in<Log>(g.name, g.value, logs); }},
    {"once", false, [](const Given &g) { g.options.once = true; }},
    {"choose", false, [](const Given &g) { g.options.choose = true; }},
    {"help", false, [](const Given &g) { g.options.help = true; }},
    {"version", false, [](const Given &g) { g.options.version = true; }},
};

// Sets what `word` names, with the value behind its = or the word after it. How many words that
// took.
std::size_t set(Options &options, std::span<const std::string_view> words) {
    const std::string_view word = words[0].substr(2);
    const std::size_t equals = word.find('=');
    const std::string_view name = word.substr(0, equals);
    const auto *option = std::ranges::find(all, name, &Option::name);
    if (option == std::end(all))
        refuse(name, "is unknown; --help lists the options");
    const bool has_value = equals != std::string_view::npos;
    if (!option->takes_value) {
        if (has_value)
            refuse(name, "takes no value");
        option->set({options, name, {}});
        return 1;
    }
    if (!has_value && words.size() < 2)
        refuse(name, "needs a value");
    const std::string_view value = has_value ? word.substr(equals + 1) : words[1];
    if (value.empty())
        refuse(name, "must not be empty");
    option->set({options, name, value});
    return has_value ? 1 : 2;
}

// A request must end while the jobs in it are still this worker's.
void settle_lease(Options &options) {
    constexpr std::chrono::seconds usual{300};
    if (options.lease == std::chrono::seconds(0))
        options.lease = std::max(usual, 4 * options.timeout);
    if (options.lease <= options.timeout)
        throw BadOption("--lease must be longer than --timeout");
}

} // namespace

Options parse_options(std::span<const std::string_view> words) {
    Options options;
    for (std::size_t at = 0; at < words.size();) {
        if (words[at].starts_with("--")) {
            at += set(options, words.subspan(at));
        } else if (words[at].starts_with('-') || !options.connection.empty()) {
            throw BadOption("\"" + std::string(words[at]) +
                            "\" is no option; --help lists the options");
        } else {
            options.connection = words[at++];
        }
    }
    settle_lease(options);
    return options;
}

std::string_view usage() {
    return R"(memory-worker does the jobs that extension "memory" queues: it asks models, and gives their answers
to the database (docs/worker.md).

  memory-worker [OPTION]… [CONNECTION]

CONNECTION is a connection string or URI of libpq; without it PGHOST, PGDATABASE and the like count.
The role needs memory.grant_access(role, 'worker').

What is asked:
  --task TASK            embed, extract, summarize or profile; may be repeated (all)
  --url URL              where models are asked, instead of what memory.use_model says; the address that
                         ends before /embeddings and /chat/completions (OPENAI_BASE_URL, else OpenAI's)
  --model NAME           what the model is called there, instead of what memory.use_model says
  --dimensions N         tell embedding models how many dimensions to give
  --prompt TASK=FILE     another prompt for extract, summarize or profile
  --choose               say memory.use_model('embed', …) by what is there, and end: text-embedding-3-small
                         with a key, else hash; a model that is in use stays

How:
  --key-file FILE        the key is in it (OPENAI_API_KEY)
  --key-host HOST        the key may also be sent there; may be repeated
  --header KIND          auto, bearer or api-key: which header has the key (auto)
  --ca-file FILE         certificates to check servers by (the system's)
  --batch N              texts in one request (64)
  --batch-bytes N        bytes of texts in one request (1048576)
  --requests N           requests at once (4)
  --timeout S            seconds for a request (60)
  --connect-timeout S    seconds for a connection (10)
  --lease S              seconds for which jobs are this worker's (300, or four times the timeout)
  --poll MS              milliseconds between two looks for work, at most (2000)
  --once                 do what is there, and end

What is said:
  --log KIND             auto, line, json or none (auto: a line on a terminal, else JSON)
  --metrics FILE         counters in the text format of Prometheus
  --help, --version

Ends with 0 when all is well; 1 internal error; 2 wrong options or files; 3 the database is not reachable;
4 the extension is missing or the role has no access; 5 with --once, when jobs have failed or could not be done.
)";
}

} // namespace memory::worker
