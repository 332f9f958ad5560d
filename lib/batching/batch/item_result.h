// The result of one graph of a batch: a line of JSON (schemas/batch_result.schema.json), without times and places, so that the
// same batch has the same lines.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "batch/work_list.h"
#include "diagnostic/diagnostic.h"
#include "report/report.h"

namespace fxcut {

class Hash128;

// Adds every setting, the policies, and the device if it is the user's own.
void add_instructions(Hash128& hash, const Instructions& instructions);

// A hash of everything that the results of a graph depend on: existing results are valid if they have the same key. It has 32
// hexadecimal digits, for the item's graph (the decompressed file), its instructions, and the program's `version`.
std::string item_key(std::string_view graph, const WorkItem& item, std::string_view version);

// The line, without its end, of a finished graph; `key` is its item_key, `bytes_after` what is in memory once the backward is
// over.
std::string done_line(std::string_view name, std::string_view key, const Report& report, Int128 bytes_after);

// The line of a graph that failed, with the exit status of a run of its own.
std::string failed_line(std::string_view name, int exit_status, const std::vector<Diagnostic>& mistakes);

// The failure of a failed_line. Throws nlohmann's exceptions for other lines.
Failure read_failure(std::string_view line);

// The diagnostic of a graph whose process a signal ended. Its exit status is 128 + signal, as in shells.
Diagnostic ended_by(int signal, const std::string& file);
inline constexpr int kExitOfSignal = 128;

// The graph's name, whether it is done, and then its key. Throws Failure (BadInput) naming `file` for other lines.
struct ResultHead {
  std::string name;
  bool is_done = false;
  std::string key;
};
ResultHead read_result_head(std::string_view line, const std::string& file);

// The files of a finished graph, in its directory; the last is its line.
inline constexpr std::array<std::string_view, 4> kResultFiles = {"forward.json", "backward.json", "report.json",
                                                                 "result.json"};

// The line of the results in a graph's directory; nullopt if they are incomplete.
std::optional<std::string> kept_line(const std::filesystem::path& directory);

}  // namespace fxcut
