# memory: build, install, try, test, package. `make help` lists the targets.
# Every output goes to $(BUILD). The pure rooms become libcore.a (tools/core.mk), the rest becomes
# memory.so through PGXS (tools/module.mk); what works without PostgreSQL's headers starts in tools/.

ROOT := $(CURDIR)
BUILD ?= build
override BUILD := $(abspath $(BUILD))
PG_CONFIG ?= pg_config
MEMORY_VERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" memory.control)
# Warnings are errors for us, not for those who build a release with next year's compiler.
WERROR ?= $(if $(wildcard .git),1)
export ROOT BUILD PG_CONFIG MEMORY_VERSION WERROR

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:

# One short line a file; V=1 shows the commands.
step = $(if $(V),,@printf '  %-6s %s\n' '$(1)' '$(patsubst $(ROOT)/%,%,$(2))';)

include tools/flags.mk
include tools/worker.mk
include tools/shards.mk
include tools/core.mk
include tools/checks.mk

# --- the extension ---------------------------------------------------------------------------

PGXS := $(wildcard $(shell $(PG_CONFIG) --pgxs 2>/dev/null))
HEADERS := $(wildcard $(addsuffix /postgres.h,$(shell $(PG_CONFIG) --includedir-server 2>/dev/null)))
IN_MODULE := all install install-debug uninstall installdirs installcheck door
.PHONY: $(IN_MODULE)
ifneq ($(and $(PGXS),$(HEADERS)),)
$(IN_MODULE): core
	@$(MAKE) --no-print-directory -C $(BUILD) -f $(ROOT)/tools/module.mk VPATH=$(ROOT) $@
else
$(IN_MODULE):
	@echo "make $@ needs PostgreSQL's server headers: pg_config was not found, or not the one of a" >&2
	@echo "server-dev package. Install postgresql-server-dev-NN and libicu-dev, or name another with" >&2
	@echo "PG_CONFIG=/path/to/pg_config; or run 'make try', which installs what is missing by itself." >&2
	@exit 2
endif

# Makes in $(BUILD) are one after the other: side by side both would write the same files.
install: | $(filter all,$(MAKECMDGOALS))
install-debug: | $(filter all install,$(MAKECMDGOALS))

all: worker shards
install: install-worker install-shards
uninstall: uninstall-worker uninstall-shards

# --- from a fresh machine --------------------------------------------------------------------

.PHONY: try test test-ci test-all clients bench quality reference timeline deb dist clean help
try:
	+@tools/setup try && tools/try

test:
	+@tools/setup test && tools/test

# The suites of clients and frameworks alone; docs/frameworks.md gets the figures.
clients:
	+@tools/setup test && SUITES=clients WRITE_FRAMEWORKS=1 tools/test

test-ci test-all:
	+@tools/setup all && tools/$@

bench quality:
	+@tools/setup try && tools/server run tests/$@/run

reference timeline:
	+@tools/setup try && tools/server run tools/$@

deb:
	+@tools/setup deb && tools/deb

dist:
	+@tools/setup dist && tools/dist

clean:
	@tools/clean

help:
	@tools/help
