#include "show/python_argument.h"

namespace fxcut {
namespace {

// Python's keywords and builtins (3.11), and the globals that every generated module has.
constexpr std::string_view kReserved[] = {
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del",
    "elif", "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal",
    "not", "or", "pass", "raise", "return", "try", "while", "with", "yield", "ArithmeticError", "AssertionError",
    "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError", "BrokenPipeError", "BufferError",
    "BytesWarning", "ChildProcessError", "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError",
    "ConnectionResetError", "DeprecationWarning", "EOFError", "Ellipsis", "EncodingWarning", "EnvironmentError",
    "Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError", "FloatingPointError", "FutureWarning",
    "GeneratorExit", "IOError", "ImportError", "ImportWarning", "IndentationError", "IndexError", "InterruptedError",
    "IsADirectoryError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NotADirectoryError", "NotImplemented", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError",
    "ResourceWarning", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
    "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "TypeError", "UnboundLocalError",
    "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning",
    "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "__build_class__", "__debug__", "__doc__",
    "__import__", "__loader__", "__name__", "__package__", "__spec__", "abs", "aiter", "all", "anext", "any", "ascii",
    "bin", "bool", "breakpoint", "bytearray", "bytes", "callable", "chr", "classmethod", "compile", "complex",
    "copyright", "credits", "delattr", "dict", "dir", "divmod", "enumerate", "eval", "exec", "exit", "filter",
    "float", "format", "frozenset", "getattr", "globals", "hasattr", "hash", "help", "hex", "id", "input", "int",
    "isinstance", "issubclass", "iter", "len", "license", "list", "locals", "map", "max", "memoryview", "min", "next",
    "object", "oct", "open", "ord", "pow", "print", "property", "quit", "range", "repr", "reversed", "round", "set",
    "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip", "inf", "nan",
    "NoneType", "torch", "device", "fx_pytree", "pytree",
};

// The text as an identifier: each run of other characters becomes one underscore.
std::string identifier_of(std::string_view text) {
  std::string name;
  bool within_run = false;
  for (const char c : text) {
    const bool fits = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (fits) {
      name += c;
    } else if (!within_run) {
      name += '_';
    }
    within_run = !fits;
  }
  if (name.empty()) return "_unnamed";
  return name.front() >= '0' && name.front() <= '9' ? "_" + name : name;
}

// Whether code calls the function by its complete path: all of torch, except parts of its compilers.
bool has_path(std::string_view module) {
  if (module != "torch" && !module.starts_with("torch.")) return false;
  return module.find("._dynamo.") == std::string_view::npos && module.find("._inductor.") == std::string_view::npos;
}

}  // namespace

PythonNames::PythonNames(const Graph& graph) : graph_(graph), variables_(graph.size()) {
  for (const std::string_view taken : kReserved) namespace_.create(taken);
}

const std::string& PythonNames::variable(NodeId id) {
  std::string& name = variables_[index_of(id)];
  if (name.empty()) name = namespace_.create(identifier_of(graph_[id].name));
  return name;
}

std::string PythonNames::function(const Operator& callee) {
  const std::string_view target = callee.target;
  if (callee.kind != Operator::Kind::PythonFunction) return "torch.ops." + callee.target;
  const std::size_t dot = target.rfind('.');
  const std::string_view module = dot == std::string_view::npos ? "" : target.substr(0, dot);
  if (module == "builtins") return std::string(target.substr(dot + 1));
  if (has_path(module)) return callee.target;
  auto [entry, is_new] = functions_.try_emplace(callee.target);
  if (is_new) {
    // Python's own name of the implementation of `operator`.
    entry->second = namespace_.create(identifier_of((module == "operator" ? "_" : "") + callee.target));
  }
  return entry->second;
}

}  // namespace fxcut
