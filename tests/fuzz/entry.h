// The fuzzed functions: each entry_*.cpp takes a text through one reader and everything after it. The name is libFuzzer's.
#pragma once

#include <cstddef>
#include <cstdint>

// Returns 0. The entry catches the Failure by which the program refuses a text; any other exception is a bug.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
