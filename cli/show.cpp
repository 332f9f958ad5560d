// fxcut show: a graph for people to look at.
#include <fmt/format.h>

#include <array>
#include <optional>
#include <ostream>
#include <utility>

#include "cli/command.h"
#include "cli/graph_file.h"
#include "cli/graphviz.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/narration.h"
#include "cli/options.h"
#include "cli/settings_options.h"
#include "normalise/inline_checkpoints.h"
#include "pipeline/pipeline.h"
#include "show/draw.h"
#include "show/graph_code.h"
#include "show/graph_summary.h"
#include "show/graph_table.h"
#include "show/readable.h"

namespace fxcut {
namespace po = boost::program_options;
namespace {

constexpr std::string_view kUsage =
    "usage: fxcut show GRAPH.json [--as code|table|dot|svg|summary] [--readable] [--as-traced]\n"
    "                  [--report REPORT.json] [--module PATH] [--boxes N]\n\n"
    "Prints a graph for people: a joint graph, or the forward or backward of one (- is standard input).\n\n"
    "  code     Python, as GraphModule.code is in PyTorch\n"
    "  table    a row a node, as Graph.print_tabular prints it\n"
    "  dot      a picture for Graphviz, layers that repeat folded\n"
    "  svg      the same, drawn by Graphviz\n"
    "  summary  what it consists of\n\n"
    "A joint graph is drawn with what PyTorch's defaults decide, unless there is a report of another decision.\n\n"
    "Example: fxcut show joint.json --as svg >joint.svg\n\n";

struct Request {
  std::string graph;
  std::string form = "code";
  bool readable = false;
  bool as_traced = false;
  std::string report;
  std::string module;
  std::int64_t boxes = kUsualBoxes;
  bool help = false;
};

po::options_description visible_options(Request& request) {
  po::options_description options("Options");
  options.add_options()
      ("as", po::value(&request.form)->value_name("FORM"), "code (unless given), table, dot, svg or summary")
      ("readable", po::bool_switch(&request.readable),
       "code with dtypes, shapes and source lines, as GraphModule.print_readable prints it")
      ("as-traced", po::bool_switch(&request.as_traced),
       "code whose inputs are lists of primals and tangents, as a joint graph fresh from PyTorch's tracer has it")
      ("report", po::value(&request.report)->value_name("FILE"), "draw what this report of 'fxcut partition' decided")
      ("module", po::value(&request.module)->value_name("PATH"),
       "draw this module of the model unfolded, such as layers.0.attn")
      ("boxes", po::value(&request.boxes)->value_name("N"),
       "draw about that many boxes at most; 100 unless given")
      ("help", po::bool_switch(&request.help), "show this text");
  return options;
}

void print_code(const Request& request, std::ostream& out, std::ostream& err);
void print_table(const Request& request, std::ostream& out, std::ostream& err);
void print_dot(const Request& request, std::ostream& out, std::ostream& err);
void print_svg(const Request& request, std::ostream& out, std::ostream& err);
void print_summary(const Request& request, std::ostream& out, std::ostream& err);

struct Form {
  std::string_view name;
  void (*print)(const Request& request, std::ostream& out, std::ostream& err);
};

constexpr std::array<Form, 5> kForms = {{
    {"code", print_code},
    {"table", print_table},
    {"dot", print_dot},
    {"svg", print_svg},
    {"summary", print_summary},
}};

const Form& form_of(const Request& request) {
  std::vector<std::string_view> names;
  for (const Form& form : kForms) {
    if (form.name == request.form) return form;
    names.push_back(form.name);
  }
  throw Failure(ExitStatus::Usage, fmt::format("--as {}: unknown form", request.form),
                did_you_mean_or_known(request.form, names));
}

// Throws where an option has nothing to say about the form.
void refuse_what_is_not_heeded(const Request& request) {
  const bool is_picture = request.form == "dot" || request.form == "svg";
  const auto only_for = [&](bool is_given, bool is_heeded, std::string_view option, std::string_view forms) {
    if (!is_given || is_heeded) return;
    throw Failure(ExitStatus::Usage,
                  fmt::format("{} goes with --as {}, not with --as {}", option, forms, request.form));
  };
  only_for(request.readable, request.form == "code", "--readable", "code");
  only_for(request.as_traced, request.form == "code", "--as-traced", "code");
  only_for(!request.report.empty(), is_picture, "--report", "dot and svg");
  only_for(!request.module.empty(), is_picture, "--module", "dot and svg");
  only_for(request.boxes != kUsualBoxes, is_picture, "--boxes", "dot and svg");
  if (request.boxes < 1) throw Failure(ExitStatus::Usage, fmt::format("--boxes {}: expected 1 or more", request.boxes));
  if (request.graph == "-" && request.report == "-") {
    throw Failure(ExitStatus::Usage, "standard input can be one file only: the graph or the report");
  }
}

// What an operator does is all the same here: nothing is said of unknown ones.
GraphFile read_quietly(const Request& request) {
  std::ostream nowhere(nullptr);
  return read_any_graph_file(request.graph, nowhere);
}

void print_code(const Request& request, std::ostream& out, std::ostream&) {
  const GraphFile file = read_quietly(request);
  if (request.as_traced && file.form != GraphForm::Joint) {
    throw Failure(ExitStatus::Usage, "--as-traced is for joint graphs: PyTorch has those of one side as they are");
  }
  CodeStyle style{file.joint.torch.release};
  style.as_traced = request.as_traced;
  out << (request.readable ? readable_code(file.joint, *file.document, style) : graph_code(file.joint.graph, style))
      << "\n";
}

void print_table(const Request& request, std::ostream& out, std::ostream&) {
  write_graph_table(read_quietly(request).joint.graph, out);
}

void print_summary(const Request& request, std::ostream& out, std::ostream&) {
  const GraphFile file = read_quietly(request);
  out << graph_summary(file.joint, file.form);
}

// What is decided on the graph where no report says so. Where there is no partition, the graph can be looked at still.
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
                fmt::format("{} is no report of this graph: {} of {} saved values are not there",
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

void print_dot(const Request& request, std::ostream& out, std::ostream& err) { out << drawn(request, err); }

void print_svg(const Request& request, std::ostream& out, std::ostream& err) { out << render_svg(drawn(request, err)); }

}  // namespace

ExitStatus run_show(const CommandArguments& arguments, std::ostream& out, std::ostream& err) {
  Request request;
  const po::options_description visible = visible_options(request);
  parse_options_on_graph(arguments, visible, request.graph, request.help, "show");
  if (request.help) {
    out << kUsage << visible;
    return ExitStatus::Done;
  }
  const Form& form = form_of(request);
  refuse_what_is_not_heeded(request);
  within_memory(shown_name(request.graph), [&] { form.print(request, out, err); });
  return ExitStatus::Done;
}

}  // namespace fxcut
