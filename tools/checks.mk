# Unit tests, fuzzers and lint: everything that is checked without a server.
