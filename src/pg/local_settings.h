// Settings that hold while an object lives, and are the caller's again afterwards.
#pragma once

#include "pg/call.h"

namespace memory::pg {

class LocalSettings {
  public:
    LocalSettings() : level_(NewGUCNestLevel()) {}
    ~LocalSettings() {
        release([this] { AtEOXact_GUC(true, level_); });
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
};

} // namespace memory::pg
