# What the core (tools/core.mk) and the module (tools/module.mk) are compiled with alike.

# Scores are the same to the last bit on every machine: where there is a fused multiply-add (ARM64),
# none is made of a product and a sum.
CXX_STANDARD := -std=gnu++20 -fvisibility=hidden -fno-math-errno -ffp-contract=off
# DEBUG=1 is for gdb. Objects do not remember their flags: give it a BUILD of its own.
ifeq ($(DEBUG),1)
CXX_STANDARD += -O0 -g3 -fno-omit-frame-pointer
endif
WARNINGS := -Wall -Wextra -Wconversion -Wshadow $(if $(filter 1,$(WERROR)),-Werror)
ICU_CFLAGS = $(shell pkg-config --cflags icu-uc icu-i18n)
ICU_LIBS = $(shell pkg-config --libs icu-uc icu-i18n)

# The server's build brings g++'s warnings even to clang. And g++ 16 guesses that a memory_resource
# is a monotonic one, inlines that, and warns about its own guess.
OF_COMPILER = $(if $(filter %clang++,$(CXX)),-Wno-unknown-warning-option,-fno-devirtualize-speculatively)
