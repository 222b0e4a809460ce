// A pipe: the handler writes a byte, and the loop reads it.
#include "worker/signals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <stdexcept>
#include <unistd.h>

namespace memory::worker {

namespace {

constinit volatile std::sig_atomic_t writing = -1;

void tell(int) {
    const int before = errno;
    const char byte = 0;
    // Full: enough has been told.
    static_cast<void>(!write(writing, &byte, 1));
    errno = before;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigaction(signal, &action, nullptr);
}

} // namespace

Signals::Signals() {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0)
        throw std::runtime_error("no pipe can be had");
    for (const int end : ends) {
        fcntl(end, F_SETFL, O_NONBLOCK);
        fcntl(end, F_SETFD, FD_CLOEXEC);
    }
    reading_ = ends[0];
    writing = ends[1];
    handle(SIGTERM, tell);
    handle(SIGINT, tell);
    // A server that closes its connection is told by an error of the write.
    handle(SIGPIPE, SIG_IGN);
}

Signals::~Signals() {
    handle(SIGTERM, SIG_DFL);
    handle(SIGINT, SIG_DFL);
    close(writing);
    close(reading_);
}

int Signals::asked() {
    std::array<char, 64> bytes;
    for (ssize_t size = 0; (size = read(reading_, bytes.data(), bytes.size())) > 0;)
        asked_ += static_cast<int>(size);
    return asked_;
}

} // namespace memory::worker
