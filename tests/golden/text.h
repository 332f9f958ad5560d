// Text in and out of files, and the two short forms in which a case gives text that no editor likes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace golden {

std::string read_text(const std::filesystem::path& path);
void write_text(const std::filesystem::path& path, std::string_view content);

// \n, \\ and \xNN stand for bytes; a line end stands for nothing.
std::string unescape(std::string_view escaped);

// Each line "COUNT TEXT" is TEXT that many times.
std::string repeat_lines(const std::string& lines);

// The keys of a batch's results hash the program itself: each build has others, for which zeros stand.
std::string without_keys(std::string text);

}  // namespace golden
