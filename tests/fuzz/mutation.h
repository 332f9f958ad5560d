// Mutants of JSON files: a few changes each to one file of a corpus. Many are such that the text stays JSON, so that
// they reach the code after the parser.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fuzz {

// Mutant number `number` under `seed`: always the same text. `corpus` must not be empty.
std::string mutant(const std::vector<std::string>& corpus, std::uint64_t seed, std::uint64_t number);

}  // namespace fuzz
