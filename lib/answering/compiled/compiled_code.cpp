#include "compiled/compiled_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "diagnostic/diagnostic.h"
#include "json/fields.h"
#include "python_text/graph_source.h"
#include "python_text/trace_records.h"

namespace fxcut {
namespace {

constexpr std::string_view kCodeHead = "# AOT ID: ['";
constexpr std::string_view kLogTag = "[__output_code] ";  // before each line of TORCH_LOGS=output_code

bool is_trace(std::string_view text) { return text.find("{\"inductor_output_code\"") != std::string_view::npos; }

CodeSide side_named(std::string_view word) {
  for (const CodeSide side : {CodeSide::Forward, CodeSide::Backward}) {
    if (word == name_of(side)) return side;
  }
  return CodeSide::Inference;
}

// "# AOT ID: ['0_forward']"
void read_head(CompiledCode& code) {
  for (const SourceLine& line : code.lines) {
    if (!line.text.starts_with(kCodeHead)) continue;
    const std::string_view id = line.text.substr(kCodeHead.size(), line.text.find('\'', kCodeHead.size()) - kCodeHead.size());
    const std::size_t split = std::min(id.find('_'), id.size());
    code.aot_id = id.substr(0, split);
    code.side = side_named(id.substr(std::min(split + 1, id.size())));
    return;
  }
}

std::string version_in(const std::vector<SourceLine>& payload) {
  constexpr std::string_view kKey = "\"pytorch_version\": \"";
  for (const SourceLine& line : payload) {
    const std::size_t at = line.text.find(kKey);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.text.substr(at + kKey.size());
    return "torch " + std::string(rest.substr(0, rest.find('"')));
  }
  return "";
}

// The path of the file that the code was written to.
std::string path_in(const JsonValue& record) {
  const auto facts = member(record, "inductor_output_code");
  const auto path = facts ? member(*facts, "filename") : std::nullopt;
  return path && path->is(JsonValue::Type::String) ? std::string(path->text()) : "";
}

// The log's facts about a compilation so far.
struct Compilation {
  std::vector<SourceLine> graph;
  std::optional<std::size_t> joint;
  SymbolHints hints;
};

// The records of one compilation are in sequence: its joint graph, and for each side the graph and then its code.
CompiledFile read_trace(const std::vector<SourceLine>& lines, std::string_view file) {
  CompiledFile found;
  std::map<std::string, Compilation> compilations;
  std::size_t joint_graphs = 0;
  const auto visit = [&](const JsonValue& record, std::vector<SourceLine> payload) {
    std::string name = compilation_name(record);
    if (!name.empty()) name.erase(0, 1);
    Compilation& compilation = compilations[name];
    const std::string artifact = artifact_name(record);
    if (artifact == "torch_version") {
      found.producer = version_in(payload);
    } else if (artifact == "inductor_post_grad_graph") {
      compilation.graph = std::move(payload);
    } else if (member(record, "aot_joint_graph")) {
      compilation.joint = joint_graphs++;
    } else if (const auto symbol = created_symbol(record)) {
      compilation.hints.insert_or_assign(symbol->first, symbol->second);
    } else if (member(record, "inductor_output_code")) {
      CompiledCode& code = found.codes.emplace_back();
      code.compilation = name;
      code.lines = std::move(payload);
      code.path = path_in(record);
      if (!code.lines.empty()) code.first_line = code.lines.front().begin.line;
      code.graph = std::move(compilation.graph);
      compilation.graph.clear();
      code.joint = compilation.joint;
      code.hints = compilation.hints;
      read_head(code);
    }
  };
  const auto damaged = [&](std::size_t line, const Failure&) {
    found.notes.push_back(fmt::format("line {}: a record that is not JSON; the log may end in it", line));
  };
  for_each_trace_record(lines, file,
                        {"inductor_output_code", "inductor_post_grad_graph", "aot_joint_graph", "create_symbol", "torch_version"},
                        visit, damaged);
  return found;
}

// The lines of the code without the logger's prefixes.
std::vector<SourceLine> without_log_prefix(std::vector<SourceLine> lines) {
  std::vector<SourceLine> code;
  for (SourceLine& line : lines) {
    const std::size_t at = line.text.find(kLogTag);
    if (at == std::string_view::npos) continue;
    line.text.remove_prefix(at + kLogTag.size());
    line.begin.column += at + kLogTag.size();
    code.push_back(line);
  }
  return code.empty() ? lines : code;
}

bool has_call(const CompiledCode& code) {
  return std::ranges::any_of(code.lines, [](const SourceLine& line) {
    const std::size_t begin = std::min(line.text.find_first_not_of(' '), line.text.size());
    return line.text.substr(begin).starts_with("def call(");
  });
}

// Several codes in sequence, each beginning with its head.
CompiledFile read_code(const std::vector<SourceLine>& lines, std::string_view file) {
  CompiledFile found;
  for (const SourceLine& line : lines) {
    if (found.codes.empty() || line.text.starts_with(kCodeHead)) found.codes.emplace_back();
    found.codes.back().lines.push_back(line);
  }
  std::erase_if(found.codes, [](const CompiledCode& code) { return !has_call(code); });
  for (CompiledCode& code : found.codes) {
    read_head(code);
    code.path = file;
  }
  return found;
}

}  // namespace

std::string_view name_of(CodeSide side) {
  constexpr std::string_view kWords[] = {"inference", "forward", "backward"};
  return kWords[static_cast<std::size_t>(side)];
}

CompiledFile find_compiled_code(std::string_view text, std::string_view file) {
  std::vector<SourceLine> lines = split_lines(text);
  CompiledFile found = is_trace(text) ? read_trace(lines, file) : read_code(without_log_prefix(std::move(lines)), file);
  for (CompiledCode& code : found.codes) code.file = file;
  if (!found.codes.empty()) return found;
  throw Failure(ExitStatus::BadInput,
                {{std::string(file), "no code of inductor here: expected a Python wrapper with 'def call(args)'",
                  "TORCH_TRACE=DIR python script.py logs it, TORCH_LOGS=output_code prints it; where a cache had it, "
                  "TORCHINDUCTOR_FORCE_DISABLE_CACHES=1"}});
}

}  // namespace fxcut
