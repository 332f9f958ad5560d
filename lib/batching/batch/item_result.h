// What came of one graph of a batch: a JSON object on a line (schemas/batch_result.schema.json). It says nothing of
// when, where and beside what the graph was worked on, so that the same batch gives the same lines.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "report/report.h"

namespace fxcut {

// The line, without its end, of a graph that is done; `key` is its item_key.
std::string done_line(std::string_view name, std::string_view key, const Report& report);

// The line of a graph that failed, as a run of its own with that exit status would have.
std::string failed_line(std::string_view name, int exit_status, const std::vector<Diagnostic>& mistakes);

// What a failed_line says. Throws nlohmann's exceptions where the line is none.
Failure read_failure(std::string_view line);

// What is to be said of a graph whose process a signal ended. The exit status of that is 128 + signal, as shells have
// it.
Diagnostic ended_by(int signal, const std::string& file);
inline constexpr int kExitOfSignal = 128;

// The name that a line of a result is about, and whether it is done; its key, where it is. Throws Failure (BadInput)
// naming `file` where the line is none.
struct ResultHead {
  std::string name;
  bool is_done = false;
  std::string key;
};
ResultHead read_result_head(std::string_view line, const std::string& file);

// The files of a graph that is done, in its directory; the last is its line.
inline constexpr std::array<std::string_view, 4> kResultFiles = {"forward.json", "backward.json", "report.json",
                                                                 "result.json"};

// The line of the results in the directory of a graph; nothing where they are not there as a whole.
std::optional<std::string> kept_line(const std::filesystem::path& directory);

}  // namespace fxcut
