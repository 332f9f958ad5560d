// fxcut show: a graph in human-readable forms.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <sstream>
#include <utility>

#include "cli/command.h"
#include "cli/graph_file.h"
#include "cli/graphviz.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/output_format.h"
#include "normalise/inline_checkpoints.h"
#include "partition/partition.h"
#include "show/graph_code.h"
#include "show/picture_dot.h"
#include "show/show_graph.h"

namespace fxcut::show_command {
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut show GRAPH.json [--format code|table|dot|svg|summary[=FILE]]... [--readable] [--as-traced]\n"
    "                  [--report REPORT.json] [--module PATH] [--boxes N]\n\n"
    "Shows a graph in a form to read: a joint graph, or the forward or backward of one (- is standard input).\n\n"
    "  code     Python, as GraphModule.code is in PyTorch\n"
    "  table    a row a node, as Graph.print_tabular prints it\n"
    "  dot      a picture for Graphviz, layers that repeat folded\n"
    "  svg      the same, drawn by Graphviz\n"
    "  summary  its operators and values, counted\n\n"
    "A joint graph is drawn with what PyTorch's defaults decide, unless there is a report of another decision.\n\n"
    "Example: fxcut show joint.json --format svg=joint.svg\n\n";

struct Request;

// Prints the graph.
using Show = void (*)(const Request& request, std::ostream& out, std::ostream& err);

void show_code(const Request& request, std::ostream& out, std::ostream& err);
void show_table(const Request& request, std::ostream& out, std::ostream& err);
void show_dot(const Request& request, std::ostream& out, std::ostream& err);
void show_svg(const Request& request, std::ostream& out, std::ostream& err);
void show_summary(const Request& request, std::ostream& out, std::ostream& err);

constexpr OutputFormat<Show> kFormats[] = {
    {"code", show_code}, {"table", show_table}, {"dot", show_dot}, {"svg", show_svg}, {"summary", show_summary}};

struct Request {
  std::string graph;
  std::string as;  // the older option, whose value is the format
  FormatOptions formats{kFormats, FirstFormat::WhereNothingElse};
  std::vector<FormatChoice> choices;
  bool overwrite = false;
  bool readable = false;
  bool as_traced = false;
  std::string report;
  std::string module;
  std::int64_t boxes = kUsualBoxes;
};

bool is_chosen(const Request& request, std::initializer_list<std::string_view> formats) {
  return std::any_of(request.choices.begin(), request.choices.end(), [&](const FormatChoice& choice) {
    return std::find(formats.begin(), formats.end(), choice.name) != formats.end();
  });
}

// Throws if an option has no effect on any of the formats.
void refuse_unused_options(const Request& request) {
  const bool is_code = is_chosen(request, {"code"}), is_picture = is_chosen(request, {"dot", "svg"});
  const auto only_for = [&](bool is_given, bool is_used, std::string_view option, std::string_view formats) {
    if (!is_given || is_used) return;
    throw Failure(ExitStatus::Usage, fmt::format("{} has an effect on the format {} only, not on {}", option, formats,
                                                 request.choices.front().name));
  };
  only_for(request.readable, is_code, "--readable", "code");
  only_for(request.as_traced, is_code, "--as-traced", "code");
  only_for(!request.report.empty(), is_picture, "--report", "dot or svg");
  only_for(!request.module.empty(), is_picture, "--module", "dot or svg");
  only_for(request.boxes != kUsualBoxes, is_picture, "--boxes", "dot or svg");
}

std::optional<Request> parse(const CommandArguments& arguments, std::ostream& out) {
  std::optional<Request> request(std::in_place);
  CommandLine line("show", kUsage);
  request->formats.add_to(line);
  line.add({"as", "FORMAT", "the same as --format FORMAT"}, request->as);
  line.add(kForce, request->overwrite);
  line.add({"readable", "", "code with dtypes, shapes and source lines, as GraphModule.print_readable prints it"},
           request->readable);
  line.add({"as-traced", "", "code whose inputs are lists of primals and tangents, as PyTorch's tracer produces it"},
           request->as_traced);
  line.add({"report", "FILE", "draw the decision of this report of 'fxcut partition'"}, request->report);
  line.add({"module", "PATH", "draw this module of the model unfolded, such as layers.0.attn"}, request->module);
  line.add({"boxes", "N", "draw about that many boxes at most; default: 100"}, request->boxes);
  if (!parse_on_graph(line, arguments, request->graph, out)) return std::nullopt;
  if (!request->as.empty()) request->formats.add(request->as, "--as " + request->as);
  request->choices = request->formats.choices();
  refuse_unused_options(*request);
  if (request->boxes < 1) throw Failure(ExitStatus::Usage, fmt::format("--boxes {}: expected 1 or more", request->boxes));
  refuse_second_standard_input({request->graph, request->report}, "the graph and the report");
  if (request->graph == "-" && request->choices.size() > 1) {
    throw Failure(ExitStatus::Usage, "standard input can be read once: expected one format");
  }
  return request;
}

// Without warnings of unknown operators, which make no difference here.
GraphFile read_quietly(const Request& request) {
  std::ostream nowhere(nullptr);
  return read_any_graph_file(request.graph, nowhere);
}

void show_code(const Request& request, std::ostream& out, std::ostream&) {
  const GraphFile file = read_quietly(request);
  if (request.as_traced && file.form != GraphForm::Joint) {
    throw Failure(ExitStatus::Usage, "--as-traced applies only to joint graphs");
  }
  CodeStyle style{file.joint.torch.release};
  style.as_traced = request.as_traced;
  out << (request.readable ? readable_code(file.joint, *file.document, style) : graph_code(file.joint.graph, style)) << "\n";
}

void show_table(const Request& request, std::ostream& out, std::ostream&) {
  write_graph_table(read_quietly(request).joint.graph, out);
}

void show_summary(const Request& request, std::ostream& out, std::ostream&) {
  const GraphFile file = read_quietly(request);
  out << graph_summary(file.joint, file.form);
}

// The decision of the default settings, for a graph without a report. Without a partition the graph can still be drawn.
std::optional<DecisionNames> decide(const GraphFile& file, std::ostream& err) {
  if (file.form != GraphForm::Joint) return std::nullopt;
  try {
    return decision_names(partition(file.joint, Settings()).report);
  } catch (const Failure& failure) {
    const Diagnostic& first = failure.diagnostics().front();
    warn(err, file.name, "drawn without a decision: " + first.message);
    return std::nullopt;
  }
}

// The names of a report have to be those of the graph.
void expect_report_of(const JointGraph& joint, const DecisionNames& decision, const Request& request) {
  std::size_t found = 0;
  for (const Node& node : joint.graph.nodes) found += decision.saved.count(node.name);
  if (found == decision.saved.size()) return;
  throw Failure(ExitStatus::BadInput,
                fmt::format("{} is not a report of this graph: {} of {} saved values are missing",
                            shown_name(request.report), decision.saved.size() - found, decision.saved.size()),
                "expected the report of a partition of " + shown_name(request.graph));
}

std::string drawn(const Request& request, std::ostream& err) {
  GraphFile file = read_any_graph_file(request.graph, err);
  if (file.form == GraphForm::Joint) file.joint = inline_checkpoints(std::move(file.joint));
  std::optional<DecisionNames> decision;
  if (request.report.empty()) {
    decision = decide(file, err);
  } else {
    decision = read_decision_names(*Document::parse(read_text(request.report), shown_name(request.report)));
    if (file.form == GraphForm::Joint) expect_report_of(file.joint, *decision, request);
  }
  return draw_dot(file.joint, file.form, decision, {static_cast<std::size_t>(request.boxes), request.module});
}

void show_dot(const Request& request, std::ostream& out, std::ostream& err) { out << drawn(request, err); }

void show_svg(const Request& request, std::ostream& out, std::ostream& err) { out << render_svg(drawn(request, err)); }

}  // namespace

ExitStatus run(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  const auto request = parse(arguments, out);
  if (!request) return ExitStatus::Done;
  std::vector<ShownText> files;
  within_memory(shown_name(request->graph), [&] {
    for (const FormatChoice& choice : request->choices) {
      const Show show = format_named(choice.name, kFormats);
      if (choice.file.empty()) {
        show(*request, out, err);
      } else {
        std::ostringstream text;
        show(*request, text, err);
        files.push_back({text.str(), choice.file, choice.option});
      }
    }
  });
  put_out(std::move(files), request->overwrite, out);
  return ExitStatus::Done;
}

}  // namespace fxcut::show_command
