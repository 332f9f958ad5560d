// The difference between two texts, as diff(1) shows it.
#pragma once

#include <filesystem>
#include <string>

namespace golden {

// Prints a unified diff to standard error, coloured if that is a terminal. Throws std::runtime_error if diff is not installed.
void show_difference(const std::filesystem::path& case_file, const std::string& expected, const std::string& found);

}  // namespace golden
