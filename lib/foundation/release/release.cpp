#include "release/release.h"

#include <algorithm>
#include <charconv>

namespace fxcut {
namespace {

constexpr Release kLast = kNewestRelease;

struct Version {
  int major = 0;
  int minor = 0;
};

// The two numbers at the beginning of `text`: "2.13", "2.13.0", "2.13.0+cpu".
std::optional<Version> parse_version(std::string_view text) {
  Version version;
  const char* const end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  const bool ends_there = minor.ptr == end || *minor.ptr == '.' || *minor.ptr == '+';
  if (minor.ec != std::errc() || version.major < 0 || version.minor < 0 || !ends_there) return std::nullopt;
  return version;
}

bool is_known(Release release) { return release >= kOldestRelease && release <= kLast; }

std::optional<Release> find_release(const Version& version) {
  const Release release{version.minor};
  return version.major == 2 && is_known(release) ? std::optional(release) : std::nullopt;
}

// The PyTorch version of a graph's producer, from free text such as "torch 2.13.0+cpu".
std::optional<Version> version_of_producer(std::string_view producer) {
  for (const std::string_view prefix : {"torch ", "torch==", "PyTorch ", "pytorch "}) {
    if (producer.starts_with(prefix)) return parse_version(producer.substr(prefix.size()));
  }
  return std::nullopt;
}

Release nearest_release(const Version& version) {
  if (version.major != 2) return version.major < 2 ? kOldestRelease : kLast;
  return std::clamp(Release{version.minor}, kOldestRelease, kLast);
}

}  // namespace

std::vector<Release> known_releases() {
  std::vector<Release> releases;
  for (Release release = kOldestRelease; release <= kLast; ++release.minor) releases.push_back(release);
  return releases;
}

std::string Release::version() const { return "2." + std::to_string(minor); }

bool is_known_torch_version(std::string_view torch_version) {
  const auto version = parse_version(torch_version);
  return torch_version == kAsProducer || (version && find_release(*version));
}

std::string_view name_of(ReleaseChoice::Source source) {
  switch (source) {
    case ReleaseChoice::Source::Setting: return "setting";
    case ReleaseChoice::Source::Producer: return "producer";
    case ReleaseChoice::Source::Nearest: return "nearest";
    case ReleaseChoice::Source::Newest: return "newest";
  }
  return "";
}

ReleaseChoice choose_release(std::string_view torch_version, std::string_view producer) {
  using Source = ReleaseChoice::Source;
  if (torch_version != kAsProducer) {
    if (const auto version = parse_version(torch_version)) return {nearest_release(*version), Source::Setting, {}};
  }
  const auto version = version_of_producer(producer);
  if (!version) return {kNewestRelease, Source::Newest, {}};
  if (const auto known = find_release(*version)) return {*known, Source::Producer, {}};
  return {nearest_release(*version), Source::Nearest,
          std::to_string(version->major) + "." + std::to_string(version->minor)};
}

}  // namespace fxcut
