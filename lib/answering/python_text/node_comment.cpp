#include "python_text/node_comment.h"

#include <algorithm>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

constexpr std::string_view kFile = "File: ";
constexpr std::string_view kOfBackward = "Backward of forward node: ";  // from PyTorch 2.14 on
constexpr std::string_view kNoStack = "No stacktrace found";
constexpr std::string_view kAnnotation = "Annotation: ";

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

std::string take_digits(std::string_view& text) {
  const std::size_t end = std::min(text.find_first_not_of("0123456789"), text.size());
  std::string digits(text.substr(0, end));
  text.remove_prefix(end);
  return digits;
}

void skip_blanks(std::string_view& text) { text.remove_prefix(std::min(text.find_first_not_of(' '), text.size())); }

std::string take_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  std::string word(text.substr(0, end));
  text.remove_prefix(end);
  skip_blanks(text);
  return word;
}

// The length of a dict at the beginning of the text; 0 if it does not end.
std::size_t dict_length(std::string_view text) {
  std::size_t depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && (depth == 0 || --depth == 0)) {
      return i + 1;
    }
  }
  return 0;
}

// "layers.0" of "L['self'].layers.0" and the other forms in which Dynamo and torch.export name the root module.
std::string without_root(std::string_view path) {
  for (const std::string_view root : {"L__self___", "self."}) {
    if (path.starts_with(root)) return std::string(path.substr(root.size()));
  }
  if (path.starts_with("L[") || path.starts_with("G[")) {
    path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return std::string(path);
}

// The path of the last entry of "{KEY: ('PATH', <class 'CLASS'>), ...}", which is the innermost module.
std::string innermost_module(std::string_view dict) {
  std::size_t begin = std::string_view::npos;
  for (const std::string_view opening : {"(\"", "('"}) {
    const std::size_t at = dict.rfind(opening);
    if (at != dict.npos && (begin == dict.npos || at > begin)) begin = at;
  }
  if (begin == dict.npos) return "";
  const char quote = dict[begin + 1];
  const std::string_view rest = dict.substr(begin + 2);
  return without_root(rest.substr(0, rest.find(quote)));
}

// Takes the known members of additional_meta, and the # after them.
std::string take_modules(std::string_view& text) {
  std::string module;
  while (take_prefix(text, "nn_module_stack: ") || take_prefix(text, "fwd_nn_module_stack: ")) {
    const std::size_t length = text.starts_with('{') ? dict_length(text) : std::min(text.find_first_of(", "), text.size());
    if (module.empty()) module = innermost_module(text.substr(0, length));
    text.remove_prefix(length);
    take_prefix(text, ", ");
    skip_blanks(text);
  }
  if (take_prefix(text, "#")) skip_blanks(text);
  return module;
}

// "FILE:LINE in FUNCTION, code: CODE"
void read_source(std::string_view text, NodeComment& comment) {
  std::string_view place = text.substr(0, text.find(", code: "));
  const std::size_t in = place.rfind(" in ");
  if (in == std::string_view::npos) return;
  const std::string_view function = place.substr(in + 4);
  place = place.substr(0, in);
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return;
  std::string_view line = place.substr(colon + 1);
  constexpr std::size_t kMaxDigits = 9;
  if (line.empty() || line.size() > kMaxDigits || line.find_first_not_of("0123456789") != std::string_view::npos) {
    return;
  }
  line.remove_prefix(std::min(line.find_first_not_of('0'), line.size() - 1));
  comment.source_file = place.substr(0, colon);
  comment.source_line = line;
  comment.source_function = function;
}

// Annotations may contain objects that print as anything: if they are not Python, they are left out.
std::optional<PythonExpression> parse_annotations(std::string_view dict, std::string_view file, TextPlace place) {
  try {
    return parse_python(dict, file, place);
  } catch (const Failure&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<NodeComment> read_node_comment(const PythonComment& comment, std::string_view file) {
  NodeComment read;
  std::string_view text = comment.text;
  skip_blanks(text);
  read.module = take_modules(text);
  if (take_prefix(text, kAnnotation)) {
    const std::size_t length = dict_length(text);
    if (length == 0) return std::nullopt;
    const auto column = static_cast<std::size_t>(text.data() - comment.text.data()) + 1;
    read.annotations = parse_annotations(text.substr(0, length), file, {comment.place.line, comment.place.column + column});
    text.remove_prefix(length);
    skip_blanks(text);
  }
  if (take_prefix(text, "ac_graph_id: ")) {
    read.ac_graph_id = take_digits(text);
    skip_blanks(text);
    if (take_prefix(text, "- ")) read.recompute = take_word(text);
  } else if (take_prefix(text, "recompute: ")) {
    read.recompute = take_word(text);
  }
  take_prefix(text, kOfBackward);
  if (take_prefix(text, kFile)) {
    read_source(text, read);
  } else if (!text.starts_with(kNoStack)) {
    return std::nullopt;
  }
  return read;
}

}  // namespace fxcut
