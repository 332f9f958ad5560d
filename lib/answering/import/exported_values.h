// The JSON of an exported program, torch/_export/serde/schema.py: its members, the types of values, and arguments of calls. The
// first mistake ends the import.
#pragma once

#include <string>
#include <string_view>

#include "json/document.h"
#include "python_text/python_expression.h"
#include "python_text/symbolic_sizes.h"

namespace fxcut {

// Throws Failure (BadInput) at that place of the document.
[[noreturn]] void refuse_exported(const JsonValue& at, std::string message);

// The member of that key, as a string or an array; throw if it is missing.
JsonValue needed(const JsonValue& object, std::string_view key);
std::string needed_text(const JsonValue& object, std::string_view key);
JsonValue needed_list(const JsonValue& object, std::string_view key);

// The one member of a union, whose key is its kind. Throws if there are none or several.
JsonValue only_member(const JsonValue& object);

// The value as a string; throws if it is not one.
std::string exported_text(const JsonValue& value);

// The types of values, TensorMeta and SymInt, as torch.fx prints them after a name: "f32[s77, 8][8, 1]cuda:0", "Sym(2*s77)".
class ExportedTypes {
 public:
  // The text of a tensor. Both throw Failure (BadInput) if a member is missing or unknown.
  std::string tensor(const JsonValue& meta);
  // The text of a symbolic integer, real number or Boolean.
  std::string symbolic(const JsonValue& value);

  // The hints of the symbols seen so far.
  const SymbolHints& hints() const { return hints_; }

 private:
  std::string size(const JsonValue& value);
  std::string sizes(const JsonValue& list);

  SymbolHints hints_;
};

// "float32" of an exported ScalarType, "channels_last" of a MemoryFormat, "strided" of a Layout, "cuda:0" of a Device.
// They throw Failure (BadInput) for other values.
std::string exported_dtype(const JsonValue& value);
std::string exported_memory_format(const JsonValue& value);
std::string exported_layout(const JsonValue& value);
std::string exported_device(const JsonValue& value);

// An argument of a call, Argument, as torch.fx prints it; a graph becomes the name of its attribute. Throws Failure (BadInput)
// if its kind is unknown.
PythonExpression read_exported_argument(const JsonValue& argument);

}  // namespace fxcut
