// fxcut diff: what differs between two reports, or two graphs.
#include <fmt/format.h>

#include <ostream>

#include "cli/command.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "compare/compare_graphs.h"
#include "compare/compare_reports.h"
#include "compare/show_difference.h"
#include "read/read_report.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut diff BEFORE.json AFTER.json [--format text|json|markdown]\n\n"
    "Compares two reports, or two graphs of one kind (joint, forward, backward; - is standard input): what is saved,\n"
    "recomputed and in use at the peak, and which values came, went or grew. A value is the same where its operator,\n"
    "sizes and place in the model are, whatever its number. The exit status is 0 where the two are the same, 1 where\n"
    "they differ; settings may differ.\n\n"
    "Example: fxcut diff yesterday/report.json today/report.json\n\n";

constexpr OutputFormat<std::string (*)(const Difference&, const Sides&)> kFormats[] = {
    {"text", difference_text}, {"json", difference_json}, {"markdown", difference_markdown}};

struct Request {
  std::string before, after;
  std::string format = "text";
  bool help = false;
};

Request parse(const CommandArguments& arguments, std::ostream& out) {
  Request request;
  po::options_description visible("Options"), all;
  visible.add_options()
      ("format", po::value(&request.format)->value_name("NAME"), "text, json or markdown")
      ("help", po::bool_switch(&request.help), "show this text");
  all.add(visible).add_options()("before", po::value(&request.before), "")("after", po::value(&request.after), "");
  parse_options(arguments, all, po::positional_options_description().add("before", 1).add("after", 1), "diff");
  if (request.help) {
    out << kUsage << visible;
  } else if (request.before.empty() || request.after.empty()) {
    throw Failure(ExitStatus::Usage, "expected two reports, or two graphs", "'fxcut diff BEFORE.json AFTER.json'");
  } else if (request.before == "-" && request.after == "-") {
    throw Failure(ExitStatus::Usage, "standard input can be one of the two only");
  }
  return request;
}

AnyGraph graph_of(const InputFile& file) {
  return within_memory(file.name, [&] { return read_any_graph(*file.document); });
}

std::string kind_of(const InputFile& file) {
  return file.is_report() ? "a report" : fmt::format("a {}", word_for(graph_of(file).form));
}

Difference compare(const InputFile& before, const InputFile& after) {
  if (before.is_report() && after.is_report()) {
    return compare_reports(read_report(*before.document), read_report(*after.document));
  }
  if (!before.is_report() && !after.is_report()) {
    const AnyGraph first = graph_of(before), second = graph_of(after);
    if (first.form == second.form) return compare_graphs(first, second);
  }
  throw Failure(ExitStatus::Usage,
                fmt::format("{} is {}, but {} is {}", before.name, kind_of(before), after.name, kind_of(after)),
                "two reports can be compared, or two graphs of one kind");
}

}  // namespace

ExitStatus run_diff(const CommandArguments& arguments, std::ostream& out, std::ostream&) {
  const Request request = parse(arguments, out);
  if (request.help) return ExitStatus::Done;
  const auto show = format_named(request.format, kFormats);
  const InputFile before = read_input_file(request.before), after = read_input_file(request.after);
  const Difference difference =
      within_memory(fmt::format("{} and {}", before.name, after.name), [&] { return compare(before, after); });
  out << show(difference, {before.name, after.name});
  return difference.is_same() ? ExitStatus::Done : ExitStatus::No;
}

}  // namespace fxcut
