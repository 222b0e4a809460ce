// Settings that hold while an object lives, and are the caller's again afterwards.
#pragma once

#include "pg/call.h"

namespace memory::pg {

class LocalSettings {
  public:
    // What code that runs meanwhile sets for itself: stays, as behind a function's SET clause, or
    // goes, as behind the maintenance of an index.
    enum class Others { stay, go };

    explicit LocalSettings(Others others = Others::stay)
        : level_(NewGUCNestLevel()), others_(others) {}
    ~LocalSettings() {
        release([this] { AtEOXact_GUC(others_ == Others::stay, level_); });
    }
    LocalSettings(const LocalSettings &) = delete;
    LocalSettings &operator=(const LocalSettings &) = delete;

    void set(const char *name, const char *value) {
        call([=] {
            set_config_option(name, value, PGC_USERSET, PGC_S_SESSION, GUC_ACTION_SAVE, true, 0,
                              false);
        });
    }
    // False when there is no such setting.
    bool set_if_known(const char *name, const char *value) {
        if (call([=] { return GetConfigOption(name, true, false); }) == nullptr)
            return false;
        set(name, value);
        return true;
    }

  private:
    int level_;
    Others others_;
};

} // namespace memory::pg
