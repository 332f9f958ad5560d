// fxcut memory: the memory of the code that inductor generated, to the byte.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <deque>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <utility>

#include "batch/find_graphs.h"
#include "cli/command.h"
#include "cli/hints_option.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "compiled/operators_memory.h"
#include "compiled/recorded_memory.h"
#include "compiled/show_compiled.h"
#include "html/compiled_page.h"
#include "text/printable.h"
#include "write/files.h"

namespace fxcut::memory_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut memory LOG|DIR|FILE... [--format NAME[=FILE]]... [OPTION...]\n\n"
    "Reads the code that inductor generated, and replays what its Python wrappers allocate, reuse and free, and what the\n"
    "operators that they call return, to the byte: for the forward and the backward of each step, the peak, what is alive\n"
    "at it, and what is saved; and, for comparison, what the same graphs take operator by operator. An input is a log of\n"
    "TORCH_TRACE or a directory of them, what TORCH_LOGS=output_code prints, or the code itself (forward and backward may\n"
    "be two files); - is standard input.\n"
    "Statements that are not understood are reported with their lines, and so are sizes missing from the files. Memory that\n"
    "kernels take and free within a call is not seen.\n\n"
    "With --recorded, a memory snapshot of CUDA's allocator that fxcut-snapshot has turned into JSON: which blocks at its\n"
    "peak the code planned, by the line that allocated them, and which it did not (optimizer states, workspaces, ...).\n\n"
    "Formats: text, json, snapshot (for PyTorch's memory viewer), perfetto and html (a page for a browser).\n\n"
    "Example: TORCH_TRACE=trace python train.py; fxcut memory trace --format text --format snapshot=step.pickle\n\n";

using Show = std::string (*)(const CompiledMemory& memory);
constexpr std::string_view kBinary = "snapshot";
constexpr std::string_view kTellOfRecorded[] = {"text", "json"};
constexpr OptionRow kHtml{"html", "FILE", "also write a page for a browser, one file: the same as --format html=FILE"};
constexpr OutputFormat<Show> kFormats[] = {{"text", compiled_memory_text},
                                           {"json", compiled_memory_json, kJson},
                                           {kBinary, compiled_memory_snapshot},
                                           {"perfetto", compiled_memory_perfetto},
                                           {"html", compiled_page, kHtml}};

struct Request {
  std::vector<std::string> inputs;
  FormatOptions formats{kFormats};
  std::string hints, recorded;
  bool force = false;
};

std::vector<FormatChoice> choices_of(const Request& request) {
  std::vector<FormatChoice> choices = request.formats.choices();
  for (const FormatChoice& choice : choices) {
    if (choice.name != kBinary || !choice.file.empty()) continue;
    throw Failure(ExitStatus::Usage, "--format snapshot: expected a file, since it is not text", "--format snapshot=FILE.pickle");
  }
  const bool tells_of_it = std::ranges::any_of(choices, [](const FormatChoice& choice) {
    return std::ranges::find(kTellOfRecorded, choice.name) != std::end(kTellOfRecorded);
  });
  if (!request.recorded.empty() && !choices.empty() && !tells_of_it) {
    throw Failure(ExitStatus::Usage, "--recorded: no selected format shows it", "--format text or --format json");
  }
  return choices;
}

// The logs of a directory, or the file itself.
std::vector<std::string> files_of(const std::string& input) {
  std::error_code error, unknown;
  if (!std::filesystem::is_directory(input, error)) return {input};
  std::vector<std::string> logs;
  std::filesystem::recursive_directory_iterator entry(input, error);
  for (; !error && entry != std::filesystem::recursive_directory_iterator(); entry.increment(error)) {
    const bool is_log = without_compression(entry->path()).extension() == ".log";
    if (is_log && entry->is_regular_file(unknown)) logs.push_back(entry->path().string());
  }
  if (error) throw Failure(ExitStatus::FileTrouble, {{input, "cannot be read: " + error.message(), "make it readable"}});
  if (logs.empty()) {
    throw Failure(ExitStatus::FileTrouble, {{input, "no logs are in this directory", "looked for *.log, also further down"}});
  }
  std::ranges::sort(logs);
  return logs;
}

// `texts` has to outlive the result, which refers to it.
CompiledMemory read(const Request& request, std::deque<std::string>& texts) {
  CompiledMemory memory;
  std::vector<CompiledCode> codes;
  std::vector<std::pair<std::string, std::string_view>> logs;
  const SymbolHints hints = parse_hints(request.hints);
  for (const std::string& input : request.inputs) {
    for (const std::string& path : files_of(input)) {
      CompiledFile found = within_memory(shown_name(path), [&] {
        return find_compiled_code(texts.emplace_back(read_text(path)), shown_name(path));
      });
      logs.emplace_back(shown_name(path), texts.back());
      if (memory.producer.empty()) memory.producer = found.producer;
      for (const std::string& note : found.notes) memory.notes.push_back(shown_name(path) + ": " + note);
      for (CompiledCode& code : found.codes) {
        for (const auto& [symbol, hint] : hints) code.hints.insert_or_assign(symbol, hint);
        codes.push_back(std::move(code));
      }
    }
  }
  refuse_unknown_symbols(hints, std::vector<std::string_view>(texts.begin(), texts.end()));
  memory.steps = replay_steps(codes);
  for (const auto& [file, text] : logs) add_operators(memory.steps, file, text);
  if (!request.recorded.empty()) {
    const std::string name = shown_name(request.recorded);
    memory.recorded = match_with_plan(name, recorded_peak(read_text(request.recorded), name), memory.steps);
  }
  return memory;
}

void warn(const CompiledMemory& memory, std::ostream& err) {
  for (const StepMemory& step : memory.steps) {
    if (step.notes.empty()) continue;
    err << fmt::format("fxcut: {}: warning: {} {} of {} not understood or not known: the output lists them\n",
                       printable(step.file), step.notes.size(), step.notes.size() == 1 ? "thing" : "things",
                       printable(step.name));
  }
}

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  Request request;
  CommandLine line("memory", kUsage);
  request.formats.add_to(line);
  line.add({"hints", "SYMBOL=N,...", "numbers for symbolic sizes; default: taken from the log, otherwise 4096"}, request.hints);
  line.add({"recorded", "SNAPSHOT", "also say which blocks at the peak of a recorded memory snapshot the code planned"},
           request.recorded);
  line.add(kForce, request.force);
  line.add_argument("input", request.inputs, -1);
  const auto given = line.parse(arguments, out);
  if (!given) return ExitStatus::Done;
  if (request.inputs.empty()) {
    throw Failure(ExitStatus::Usage, "expected a log or code of inductor", "'fxcut memory LOG', or - for standard input");
  }
  line.refuse_empty_values(*given);
  const std::vector<FormatChoice> choices = choices_of(request);
  std::deque<std::string> texts;
  within_memory(shown_name(request.inputs.front()), [&] {
    const CompiledMemory memory = read(request, texts);
    warn(memory, err);
    const auto show = [&](const std::string& format) { return format_named(format, kFormats)(memory); };
    std::vector<ShownText> shown = show_formats(choices, show);
    for (std::size_t i = 0; i < choices.size(); ++i) shown[i].is_binary = choices[i].name == kBinary;
    put_out(std::move(shown), request.force, out);
  });
  return ExitStatus::Done;
}

}  // namespace fxcut::memory_command
