// What is fuzzed: each entry_*.cpp takes a text through one reader and all that follows. The name is libFuzzer's.
#pragma once

#include <cstddef>
#include <cstdint>

// Returns 0. The entry takes the Failure by which the program refuses a text; what else leaves it is a bug.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
