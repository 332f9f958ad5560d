#include "import/archive.h"

#include <fmt/format.h>
#include <minizip/ioapi.h>
#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#include "diagnostic/diagnostic.h"
#include "read/decompress.h"

namespace fxcut {
namespace {

constexpr std::string_view kModels = "/models/";
constexpr std::string_view kExtension = ".json";
constexpr std::string_view kIsComplete = "is the archive complete? torch.export.save writes it";
constexpr std::string_view kNotTorchs = "torch.export.save writes no such archive";
constexpr std::size_t kLargest = std::numeric_limits<std::uint32_t>::max();  // bytes
constexpr uLong kEncrypted = 1;  // the bit of an entry's flags (zip's specification, 4.4.4), and its method (4.4.5)
constexpr uLong kStored = 0;

// A zip file in memory, and the place from which minizip reads next.
struct ZipMemory {
  std::string_view bytes;
  std::size_t at = 0;
};

ZipMemory& memory_of(voidpf stream) { return *static_cast<ZipMemory*>(stream); }

voidpf open_memory(voidpf memory, const void*, int) { return memory; }

uLong read_memory(voidpf, voidpf stream, void* buffer, uLong size) {
  ZipMemory& memory = memory_of(stream);
  const std::size_t count = memory.bytes.copy(static_cast<char*>(buffer), size, memory.at);
  memory.at += count;
  return count;
}

ZPOS64_T place_in_memory(voidpf, voidpf stream) { return memory_of(stream).at; }

// Returns 0 on success, as fseek does; a place after the end is an error.
long seek_memory(voidpf, voidpf stream, ZPOS64_T offset, int origin) {
  ZipMemory& memory = memory_of(stream);
  std::size_t from = 0;
  if (origin == ZLIB_FILEFUNC_SEEK_CUR) from = memory.at;
  if (origin == ZLIB_FILEFUNC_SEEK_END) from = memory.bytes.size();
  if (offset > memory.bytes.size() - from) return -1;
  memory.at = from + offset;
  return 0;
}

int close_memory(voidpf, voidpf) { return 0; }
int memory_error(voidpf, voidpf) { return 0; }

struct CloseArchive {
  void operator()(void* archive) const { unzClose(archive); }
};
using Archive = std::unique_ptr<void, CloseArchive>;

[[noreturn]] void refuse(std::string_view file, std::string_view what, std::string_view hint) {
  throw Failure(ExitStatus::BadInput, {{std::string(file), std::string(what), std::string(hint)}});
}

std::string_view reason(int error) {
  switch (error) {
    case UNZ_CRCERROR: return "its checksum does not match";
    case UNZ_ERRNO: return "it ends early";
    case UNZ_BADZIPFILE: return "its entry is damaged";
    default: return "its compressed data is damaged";
  }
}

// minizip reports a lack of memory as an error of its own.
[[noreturn]] void refuse_model(std::string_view file, int error) {
  if (error == UNZ_INTERNALERROR || error == Z_MEM_ERROR) throw std::bad_alloc();
  refuse(file, fmt::format("a model cannot be read: {}", reason(error)), kIsComplete);
}

Archive open(ZipMemory& memory, std::string_view file) {
  zlib_filefunc64_def functions = {open_memory,  read_memory,  nullptr, place_in_memory, seek_memory,
                                   close_memory, memory_error, &memory};
  Archive archive(unzOpen2_64(nullptr, &functions));
  if (!archive) refuse(file, "not a readable zip archive", kIsComplete);
  return archive;
}

// The model's name in "step/models/model.json"; empty for other entries.
std::string_view model_name(std::string_view entry) {
  const std::size_t folder = entry.find(kModels);
  if (folder == std::string_view::npos || !entry.ends_with(kExtension)) return {};
  entry.remove_prefix(folder + kModels.size());
  entry.remove_suffix(std::min(kExtension.size(), entry.size()));
  return entry.find('/') == std::string_view::npos ? entry : std::string_view();
}

unz_file_info64 entry_info(unzFile archive, std::string_view file) {
  unz_file_info64 info;
  const int error = unzGetCurrentFileInfo64(archive, &info, nullptr, 0, nullptr, 0, nullptr, 0);
  if (error != UNZ_OK) refuse_model(file, error);
  return info;
}

std::string entry_name(unzFile archive, std::string_view file) {
  std::string name(entry_info(archive, file).size_filename, '\0');
  const int error = unzGetCurrentFileInfo64(archive, nullptr, name.data(), name.size(), nullptr, 0, nullptr, 0);
  if (error != UNZ_OK) refuse_model(file, error);
  return name;
}

// The bytes that the models of an archive may have together: several entries may share the same bytes.
struct Room {
  std::size_t archive_bytes, most_bytes;
  std::size_t left = most_bytes;

  void take(std::size_t bytes, std::string_view file) {
    if (bytes > left) refuse_expansion(std::string(file), archive_bytes, most_bytes, std::string(kNotTorchs));
    left -= bytes;
  }
};

// Piece by piece, because the archive's own figure, `declared`, may be wrong; no piece is larger, so that small models need
// little memory.
std::string read_pieces(unzFile archive, std::string_view file, ZPOS64_T declared, Room& room) {
  constexpr ZPOS64_T kLargestPiece = 1 << 20;  // bytes
  const auto piece = static_cast<unsigned>(std::clamp<ZPOS64_T>(declared, 1, kLargestPiece));
  std::string content;
  while (true) {
    const std::size_t before = content.size();
    content.resize(before + piece);
    const int count = unzReadCurrentFile(archive, content.data() + before, piece);
    if (count < 0) refuse_model(file, count);
    content.resize(before + static_cast<std::size_t>(count));
    if (count == 0) return content;
    room.take(static_cast<std::size_t>(count), file);
    if (content.size() > kLargest) refuse(file, "a model of more than 4 GiB of JSON", "");
  }
}

std::string read_entry(unzFile archive, std::string_view file, Room& room) {
  const unz_file_info64 info = entry_info(archive, file);
  if (info.flag & kEncrypted) refuse(file, "a model cannot be read: it is encrypted", kNotTorchs);
  if (info.compression_method != kStored && info.compression_method != Z_DEFLATED) {
    refuse(file, "a model cannot be read: its compression is not deflate", kNotTorchs);
  }
  const int opened = unzOpenCurrentFile(archive);
  if (opened != UNZ_OK) refuse_model(file, opened);
  std::string content = read_pieces(archive, file, info.uncompressed_size, room);
  const int closed = unzCloseCurrentFile(archive);
  if (closed != UNZ_OK) refuse_model(file, closed);
  if (content.size() != info.uncompressed_size) refuse_model(file, UNZ_ERRNO);
  return content;
}

ZPOS64_T entry_count(unzFile archive) {
  unz_global_info64 info;
  return unzGetGlobalInfo64(archive, &info) == UNZ_OK ? info.number_entry : 0;
}

}  // namespace

bool is_archive(std::string_view bytes) { return bytes.starts_with("PK\x03\x04"); }

std::vector<ArchivedModel> read_archived_models(std::string_view bytes, std::string_view file, std::size_t most_bytes) {
  ZipMemory memory{bytes};
  const Archive archive = open(memory, file);
  std::vector<ArchivedModel> models;
  Room room{bytes.size(), std::min(most_bytes, max_decompressed_bytes(bytes.size(), Expansion::Any))};
  int status = entry_count(archive.get()) == 0 ? UNZ_END_OF_LIST_OF_FILE : unzGoToFirstFile(archive.get());
  for (; status == UNZ_OK; status = unzGoToNextFile(archive.get())) {
    const std::string entry = entry_name(archive.get(), file);
    const std::string_view name = model_name(entry);
    if (!name.empty()) models.push_back({std::string(name), read_entry(archive.get(), file, room)});
  }
  if (status != UNZ_END_OF_LIST_OF_FILE) refuse_model(file, status);
  return models;
}

}  // namespace fxcut
