// A file of settings; and each of its bytes as the value of a setting on the command line.
#include <string_view>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "policy/setting_rows.h"
#include "read/read_settings.h"

namespace {

using namespace fxcut;

template <typename Action>
void refusing(Action action) {
  try {
    action();
  } catch (const Failure&) {
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Settings settings;
  refusing([&] { read_settings(Document::parse(std::string(text), "settings.json")->root(), settings); });
  for (const SettingRow& row : setting_rows()) {
    refusing([&] { set_setting(settings, row.name, parse_setting_value(row.name, text), "--set"); });
  }
  refusing([&] { set_setting(settings, text, true, "--set"); });
  return 0;
}
