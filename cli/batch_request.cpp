#include "cli/batch_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <set>
#include <string>
#include <system_error>
#include <thread>

#include "batch/find_graphs.h"
#include "batch/output_tree.h"
#include "cli/keep_inputs.h"
#include "cli/memory_cap.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "read/read_file.h"
#include "text/printable.h"
#include "text/quantities.h"

namespace fxcut {
namespace fs = std::filesystem;
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut batch INPUT... [--manifest FILE]... --output-dir DIR [--jobs N] [--resume | --force] [--shard I/N]\n"
    "                   [--model | --ranks] [--html FILE] [OPTION...]\n"
    "       fxcut batch merge DIR\n\n"
    "Partitions many graphs, each in its own process, so that a bad one fails alone. An INPUT is a graph (.json,\n"
    ".json.gz, .json.zst), a directory of graphs, a glob in quotes, a manifest (.jsonl), or a log of TORCH_TRACE. A\n"
    "line of JSON for each graph goes to standard output as it finishes. DIR/graphs/NAME then has its forward.json,\n"
    "backward.json, report.json and result.json; DIR/results.jsonl has all lines, and DIR/summary.json the totals.\n"
    "The options for settings and policies are those of 'fxcut partition'. A manifest has a JSON object a line:\n"
    "{\"graph\": PATH, \"settings\": {...}, \"policy\": PATH or policies, \"name\": NAME}, where only the graph is\n"
    "required. With --shard a part of the work is done, as in a job array; 'fxcut batch merge' joins the parts. The\n"
    "exit status is 1 if a graph failed.\n\n"
    "Example: fxcut batch captured/ --output-dir out --jobs 8; fxcut batch captured/ --output-dir out --resume\n\n";

void add_options(CommandLine& line, BatchRequest& request) {
  line.add({"manifest", "FILE", "graphs of a manifest, whatever its file is called"}, request.manifests);
  line.add({"output-dir", "DIR", "the directory for all results; created if missing"}, request.output_directory);
  line.add({"jobs", "N", "graphs at a time; default: the number of processors"}, request.jobs);
  line.add({"resume", "",
            "keep existing results of the same graph, settings, policies and program; all others are computed again"},
           request.resume);
  line.add({"force", "", "compute all results again, and replace existing ones"}, request.overwrite);
  line.add({"shard", "I/N",
            "only part I of N, from 0 on; auto: the part of the Slurm array task; auto/N: the part of the array task or the "
            "Kubernetes indexed Job"},
           request.shard);
  line.add({"model", "",
            "the graphs are one model's: add them up in DIR/model.json, and split the limit of --saved-bytes over them, where "
            "it saves most recomputation"},
           request.is_model);
  line.add({"ranks", "",
            "the graphs are those of all ranks of a job, named rank0/..., rank1/...: where ranks of the same graph would decide "
            "differently, one decision holds for all, and DIR/ranks.json reports it"},
           request.has_ranks);
  line.add({"html", "FILE",
            "also write an index of all graphs for a browser, with links to a page for each, DIR/graphs/NAME/report.html"},
           request.index_page);
  request.decision.add_to(line);
}

void refuse_contradictions(const BatchRequest& request, const po::variables_map& given) {
  if (request.inputs.empty() && request.manifests.empty()) {
    throw Failure(ExitStatus::Usage, "expected graphs", "'fxcut batch INPUT... --output-dir DIR'");
  }
  if (std::count(request.inputs.begin(), request.inputs.end(), "-") > 0) {
    throw Failure(ExitStatus::Usage, "a batch reads no graph from standard input", "name files, or use --manifest -");
  }
  if (request.output_directory.empty()) throw Failure(ExitStatus::Usage, "expected --output-dir DIR");
  if (given.contains("jobs") && request.jobs < 1) {
    throw Failure(ExitStatus::Usage, fmt::format("--jobs {}: expected 1 or more", request.jobs));
  }
  const bool looks_at_all = request.is_model || request.has_ranks;
  if (looks_at_all && !request.shard.empty()) {
    throw cannot_be_combined(request.is_model ? "--model" : "--ranks", "--shard", "it needs all graphs: drop --shard");
  }
  if (request.is_model && request.has_ranks) {
    throw cannot_be_combined("--model", "--ranks", "use a batch for each rank, with --model");
  }
  if (!request.index_page.empty() && !request.shard.empty()) {
    throw cannot_be_combined("--html", "--shard", "an index needs all graphs: drop --html");
  }
  if (request.resume && request.overwrite) {
    throw cannot_be_combined("--resume", "--force", "--resume keeps existing results, --force replaces them");
  }
}

// Inputs without graphs have only results; a manifest may be empty.
void refuse_results_alone(const BatchRequest& request) {
  const auto is_manifest = [](const std::string& input) { return kind_of(input) == BatchFileKind::Manifest; };
  if (!request.manifests.empty() || std::any_of(request.inputs.begin(), request.inputs.end(), is_manifest)) return;
  throw Failure(ExitStatus::FileTrouble,
                {{request.inputs.front(), "expected graphs, found only results of this batch in its --output-dir",
                  "name the graphs, or another --output-dir"}});
}

// Whether the directory of one of the named graphs in the output directory has the file, which would be lost with it.
bool is_in_place_of_a_graph(const fs::path& file, const fs::path& output_directory, const std::set<std::string>& names) {
  fs::path name;
  for (const fs::path& part : path_below(output_directory / "graphs", file)) {
    name /= part;
    if (names.contains(name.generic_string())) return true;
  }
  return false;
}

// Refuses results that would replace an input: a graph, a manifest or a policy.
void refuse_results_over_inputs(const BatchRequest& request, const std::vector<WorkItem>& items) {
  const fs::path directory = request.output_directory;
  const auto refuse = [&](const fs::path& file) {
    throw Failure(ExitStatus::FileTrouble, {{file.string(), "a result would replace it, which is read",
                                             "name another --output-dir"}});
  };
  std::error_code error;
  if (fs::is_directory(directory, error)) {
    std::set<std::string> names;
    for (const WorkItem& item : items) names.insert(item.name);
    for (const WorkItem& item : items) {
      if (is_in_place_of_a_graph(item.file, directory, names)) refuse(item.file);
    }
    for (const std::string& file : files_read()) {
      const bool is_of_all = std::ranges::find(kFilesOfAll, path_below(directory, file)) != kFilesOfAll.end();
      if (is_of_all || is_in_place_of_a_graph(file, directory, names)) refuse(file);
    }
  }
  if (request.index_page.empty()) return;
  refuse_to_replace_inputs(request.index_page, "--html");
  for (const WorkItem& item : items) refuse_to_replace(item.file, request.index_page, "--html");
}

}  // namespace

std::optional<BatchRequest> parse_batch(const CommandArguments& arguments, std::ostream& out) {
  std::optional<BatchRequest> request(std::in_place);
  CommandLine line("batch", kUsage);
  add_options(line, *request);
  line.add_argument("input", request->inputs, -1);
  const auto given = line.parse(arguments, out);
  if (!given) return std::nullopt;
  line.refuse_empty_values(*given);
  refuse_contradictions(*request, *given);
  return request;
}

std::size_t jobs_of(const BatchRequest& request) {
  if (request.jobs > 0) return static_cast<std::size_t>(request.jobs);
  return std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::vector<WorkItem> work_list_of(const BatchRequest& request, std::ostream& err) {
  auto instructions = std::make_shared<Instructions>();
  instructions->settings = request.decision.resolve_settings();
  instructions->policies = request.decision.resolve_policies();
  WorkList list =
      make_work_list({request.inputs, request.manifests, std::move(instructions), request.output_directory, allowed_expansion()});
  if (list.items.empty()) refuse_results_alone(request);
  if (!list.left_out.empty()) {
    print_message(err, fmt::format("fxcut: left out {} that {} no joint graph, such as {}\n",
                                   show_count(list.left_out.size(), "JSON file"), list.left_out.size() == 1 ? "is" : "are",
                                   printable(list.left_out.front().string())));
  }
  refuse_results_over_inputs(request, list.items);
  return std::move(list.items);
}

}  // namespace fxcut
