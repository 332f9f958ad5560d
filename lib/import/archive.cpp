#include "import/archive.h"

#include <fmt/format.h>
#include <zip.h>

#include <limits>
#include <memory>
#include <new>

#include "diagnostic/diagnostic.h"
#include "read/decompress.h"

namespace fxcut {
namespace {

constexpr std::string_view kModels = "/models/";
constexpr std::string_view kExtension = ".json";

struct CloseArchive {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
struct CloseEntry {
  void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};
using Archive = std::unique_ptr<zip_t, CloseArchive>;
using Entry = std::unique_ptr<zip_file_t, CloseEntry>;

[[noreturn]] void refuse(std::string_view file, std::string_view what, zip_error_t* error) {
  if (zip_error_code_zip(error) == ZIP_ER_MEMORY) throw std::bad_alloc();
  throw Failure(ExitStatus::BadInput, {{std::string(file), fmt::format("{}: {}", what, zip_error_strerror(error)),
                                        "is the archive complete? torch.export.save writes it"}});
}

Archive open(std::string_view bytes, std::string_view file) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  if (!archive) {
    if (source) zip_source_free(source);
    refuse(file, "no zip archive that can be read", &error);
  }
  return Archive(archive);
}

// The model's name in "step/models/model.json"; empty of another entry.
std::string_view model_name(std::string_view entry) {
  const std::size_t folder = entry.find(kModels);
  if (folder == std::string_view::npos || !entry.ends_with(kExtension)) return {};
  entry.remove_prefix(folder + kModels.size());
  entry.remove_suffix(std::min(kExtension.size(), entry.size()));
  return entry.find('/') == std::string_view::npos ? entry : std::string_view();
}

// Piece by piece, because the size that the archive gives may be anything. `room` is what may yet be read of all: several
// entries may lie in the same bytes.
std::string read_entry(zip_t* archive, zip_uint64_t index, std::string_view file, std::size_t& room) {
  constexpr std::size_t kPiece = 1 << 20;
  const Entry entry(zip_fopen_index(archive, index, 0));
  if (!entry) refuse(file, "a model cannot be read", zip_get_error(archive));
  std::string content;
  while (true) {
    const std::size_t before = content.size();
    content.resize(before + kPiece);
    const zip_int64_t count = zip_fread(entry.get(), content.data() + before, kPiece);
    if (count < 0) refuse(file, "a model cannot be read", zip_file_get_error(entry.get()));
    content.resize(before + static_cast<std::size_t>(count));
    if (count == 0) return content;
    if (static_cast<std::size_t>(count) > room) {
      throw Failure(ExitStatus::BadInput,
                    {{std::string(file), fmt::format("holds more than {} times its own size", kMostExpansion),
                      "torch.export.save writes none like it"}});
    }
    room -= static_cast<std::size_t>(count);
    if (content.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw Failure(ExitStatus::BadInput, {{std::string(file), "a model of more than 4 GiB of JSON", ""}});
    }
  }
}

}  // namespace

bool is_archive(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

std::vector<ArchivedModel> read_archived_models(std::string_view bytes, std::string_view file) {
  const Archive archive = open(bytes, file);
  std::vector<ArchivedModel> models;
  std::size_t room = bytes.size() * kMostExpansion;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const auto index = static_cast<zip_uint64_t>(i);
    const char* entry = zip_get_name(archive.get(), index, 0);
    const std::string_view name = entry ? model_name(entry) : std::string_view();
    if (!name.empty()) models.push_back({std::string(name), read_entry(archive.get(), index, file, room)});
  }
  return models;
}

}  // namespace fxcut
