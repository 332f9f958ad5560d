// Reading an archive takes time and memory in proportion to its size.
#include "import/archive.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>

namespace fxcut {
namespace {

constexpr std::string_view kEntry = "m/models/m.json";
constexpr int kNone = 0;

// `value` in `bytes` bytes, lowest first.
std::string little_endian(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
  return text;
}

std::string shorts(std::initializer_list<std::uint32_t> values) {
  std::string text;
  for (const std::uint32_t value : values) text += little_endian(value, 2);
  return text;
}

// Version, flags, method (stored), time and date; checksum and sizes of nothing; the name's size, and no extra field.
std::string facts() {
  return shorts({20, kNone, kNone, kNone, kNone}) + std::string(12, '\0') + shorts({kEntry.size(), kNone});
}

// One empty model, to which `entries` entries of the archive's directory point.
std::string archive_of(std::uint32_t entries) {
  std::string bytes = "PK\x03\x04" + facts() + std::string(kEntry);
  const auto directory = static_cast<std::uint32_t>(bytes.size());
  for (std::uint32_t i = 0; i < entries; ++i) {
    bytes += "PK\x01\x02" + shorts({20}) + facts() + shorts({kNone, kNone, kNone}) + std::string(8, '\0');
    bytes += kEntry;
  }
  const auto size = static_cast<std::uint32_t>(bytes.size()) - directory;
  return bytes + "PK\x05\x06" + shorts({kNone, kNone, entries, entries}) + little_endian(size, 4) +
         little_endian(directory, 4) + shorts({kNone});
}

TEST(Archive, ManyEntriesOfNothingTakeNothing) {
  constexpr std::uint32_t kEntries = 1000;
  const std::string bytes = archive_of(kEntries);
  ASSERT_TRUE(is_archive(bytes));
  const std::vector<ArchivedModel> models = read_archived_models(bytes, "model.pt2");
  ASSERT_EQ(models.size(), kEntries);
  std::size_t taken_bytes = 0;
  for (const ArchivedModel& model : models) taken_bytes += model.json.capacity();
  EXPECT_EQ(models.back().name, "m");
  EXPECT_LT(taken_bytes, bytes.size());
}

}  // namespace
}  // namespace fxcut
