// Arguments of printed calls as JSON.
#pragma once

#include <string>
#include <string_view>

#include "import/text_graph.h"
#include "python_text/annotation.h"

namespace fxcut {

class ArgumentWriter {
 public:
  ArgumentWriter(std::string_view file, AnnotationReader& annotations) : file_(file), annotations_(annotations) {}

  // Appends an argument of node number `reader`. Throws Failure (BadInput) if it names no earlier node or is not a form of an
  // argument.
  void append(const TextGraph& graph, std::size_t reader, const PythonExpression& argument, std::string& out);

  // The number of arguments that are objects of which the text has only the type.
  std::size_t opaque_arguments() const { return opaque_arguments_; }

 private:
  void append_name(const PythonExpression& name, std::string& out);
  void append_call(const PythonExpression& call, std::string& out);
  void append_signed(const PythonExpression& argument, std::string& out);
  void append_items(const std::vector<PythonExpression>& items, std::string& out);
  void append_dict(const PythonExpression& dict, std::string& out);
  void append_tagged(std::string_view tag, std::string_view text, std::string& out);
  void append_opaque(std::string_view type, std::string& out);
  bool append_complex(const PythonExpression& argument, std::string& out);
  bool is_size(const PythonExpression& argument) const;

  std::string_view file_;
  AnnotationReader& annotations_;
  const TextGraph* graph_ = nullptr;
  std::size_t reader_ = 0;
  std::size_t opaque_arguments_ = 0;
};

// A Python number as JSON: ".5" and "1." get their zeros.
std::string json_number(std::string_view digits);

}  // namespace fxcut
