#include "read/call_outline.h"

namespace fxcut {

using Type = JsonValue::Type;

void CallOutline::begin(const NodeNames& names, NodeId reader) {
  names_ = &names;
  reader_ = reader;
  text_.clear();
  inputs_.clear();
  is_sound_ = true;
}

void CallOutline::add_positional(const JsonValue& args) {
  if (args.is(Type::Array)) return add_items(args);
  is_sound_ = false;
}

void CallOutline::add_keyword(const JsonValue& kwargs) {
  if (kwargs.is(Type::Object)) return add_members(kwargs);
  is_sound_ = false;
}

// No JSON value begins with the letters that represent references, tuples, slices and dicts here.
void CallOutline::add(const JsonValue& argument) {
  if (argument.is(Type::Array)) return add_items(argument);
  if (!argument.is(Type::Object) || argument.empty()) return add_as_written(argument);
  const JsonValue content = *argument.begin();
  const std::string_view tag = content.key();
  const bool is_alone = ++argument.begin() == argument.end();
  if (is_alone && tag == "node") return refer(content);
  if (is_alone && (tag == "tuple" || tag == "slice") && content.is(Type::Array)) {
    text_ += tag == "tuple" ? 'T' : 'S';
    return add_items(content);
  }
  if (is_alone && tag == "dict" && content.is(Type::Object)) {
    text_ += 'D';
    return add_members(content);
  }
  add_as_written(argument);
}

void CallOutline::add_items(const JsonValue& array) {
  text_ += '[';
  for (const JsonValue item : array) {
    add(item);
    text_ += ',';
  }
  text_ += ']';
}

void CallOutline::add_members(const JsonValue& object) {
  text_ += '{';
  for (const JsonValue item : object) {
    append_json_string(item.key(), text_);
    text_ += ':';
    add(item);
    text_ += ',';
  }
  text_ += '}';
}

void CallOutline::refer(const JsonValue& name) {
  text_ += 'N';
  const NodeId* found = name.is(Type::String) ? names_->find(name.text()) : nullptr;
  if (found == nullptr || *found >= reader_) {
    is_sound_ = false;
  } else {
    inputs_.push_back(*found);
  }
}

}  // namespace fxcut
