#include "compiled/pickle.h"

#include <nlohmann/json.hpp>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

using Json = nlohmann::ordered_json;

template <typename Number>
void append_little_endian(Number number, std::string& out) {
  for (std::size_t byte = 0; byte < sizeof(Number); ++byte) {
    out += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * byte) & 0xff);
  }
}

void append_text(const std::string& text, std::string& out) {
  out += 'X';  // BINUNICODE
  append_little_endian(static_cast<std::uint32_t>(text.size()), out);
  out += text;
}

void append(const Json& value, std::string& out) {
  switch (value.type()) {
    case Json::value_t::null:
      out += 'N';
      return;
    case Json::value_t::boolean:
      out += value.get<bool>() ? '\x88' : '\x89';  // NEWTRUE, NEWFALSE
      return;
    case Json::value_t::number_integer:
    case Json::value_t::number_unsigned:
      out += "\x8a\x08";  // LONG1 of eight bytes
      return append_little_endian(value.get<std::int64_t>(), out);
    case Json::value_t::string:
      // Python refuses invalid UTF-8: dump() replaces it.
      return append_text(Json::parse(value.dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>(), out);
    case Json::value_t::array:
      out += "](";  // EMPTY_LIST, MARK
      for (const Json& item : value) append(item, out);
      out += 'e';  // APPENDS
      return;
    case Json::value_t::object:
      out += "}(";  // EMPTY_DICT, MARK
      for (const auto& [key, item] : value.items()) {
        append_text(key, out);
        append(item, out);
      }
      out += 'u';  // SETITEMS
      return;
    default: throw InternalError("a value that is not pickled");
  }
}

}  // namespace

std::string pickled(const Json& json) {
  std::string out = "\x80\x02";  // PROTO 2
  append(json, out);
  return out + '.';
}

}  // namespace fxcut
