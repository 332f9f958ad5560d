#include "release/release.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

namespace fxcut {
namespace {

constexpr Release kLast = kNewestRelease;

constexpr ReleaseInterval kSince2_13{Release{13}}, kSince2_14{Release{14}}, kSince2_15{Release{15}};

// One row a change, in the order of the enum.
constexpr std::array<ChangeRow, static_cast<std::size_t>(Change::Count)> kChanges = {{
    {Change::RegionsHaveBudgets, kSince2_13, "a region of the forward may say its memory budget, for the whole graph",
     "who writes the model knows best what it may take"},
    {Change::DefaultDropsAssertedBooleans, kSince2_13,
     "the default partitioner does not save a symbolic truth that is only asserted", "the forward asserts it"},
    {Change::AsyncAssertsAreRepeatable, kSince2_13, "the default partitioner does not save asynchronous assertions",
     "they have no result, and may run twice"},
    {Change::ScriptObjectsMayCountNothing, kSince2_13,
     "unsafe_treat_script_objects_as_zero_size can be true: a script object then takes no memory", "its size is not known"},
    {Change::ResultlessOperatorsHaveNoSize, kSince2_13,
     "an operator that returns nothing has the size 0, and not aten._assert_scalar alone", "there is nothing to save"},
    {Change::ReloadsRestoreLayout, kSince2_13,
     "an asynchronous copy from the host gets sizes and strides, and its wait the value that was copied",
     "the copy on the host may be laid out otherwise, and must live until then"},
    {Change::FlexAttentionIsCounted, kSince2_13, "flex_attention has a formula in the FLOP counter",
     "it is a product as other attention is"},
    {Change::CseByBackwardNeed, kSince2_14, "what the backward needs is not merged with what only the forward needs",
     "the merged value might have to be saved where neither was"},
    {Change::CseByStreamAndPool, kSince2_14, "calls on different streams or in different memory pools are not merged",
     "where a value is computed and where it lives is part of what it is"},
    {Change::CseByBits, kSince2_14, "real and complex constants are compared by their bits",
     "0.0 equals -0.0, but 1 / 0.0 does not equal 1 / -0.0; NaN equals itself then"},
    {Change::CseSparesMutationBases, kSince2_14, "what a functionalized mutation works on is not merged",
     "two buffers that start out equal are written to separately"},
    {Change::CseSparesImpure, kSince2_14, "operators with side effects, random ones included, are not merged",
     "doing a thing twice is not doing it once"},
    {Change::ZeroDropoutIsNotRandom, kSince2_14, "attention with a dropout of zero is not a random operator",
     "it draws no numbers, so recomputing it takes no generator state"},
    {Change::DevicesAreFree, kSince2_15, "a node whose value is a device takes no memory and is recomputed",
     "there is nothing to save, and each rank must ask for its own device"},
    {Change::RegionsMayLeaveOut, kSince2_15,
     "activation_memory_budget_require_full_coverage can be false: a region's budget then holds for the whole graph",
     "a graph break inside a region leaves a few operators outside of it"},
    {Change::ReplayedMutationsAreNotSaved, kSince2_15, "an input whose mutation is replayed after the forward is not saved",
     "the backward would see it changed"},
    {Change::NoCandidatesLeaveTheCut, kSince2_14,
     "a memory budget that finds nothing to choose among keeps what the last cut saves, not all inputs",
     "the inputs may be more, and need not be all that has to be saved"},
    {Change::ItemsOfCollectivesAreSaved, kSince2_15, "of a collective with several results the items are saved",
     "a tuple cannot be saved"},
    {Change::EffectsAreNeverRecomputed, kSince2_15,
     "effectful operators are saved also where they should be recomputed, and refused where they must be",
     "a forward effect cannot join the backward's chain of tokens"},
    {Change::ControlDepsAreRebuilt, kSince2_14, "control_deps over values of both sides is split between them",
     "it orders what it holds together, and would tie the forward to the backward"},
    {Change::ShallowCopiesAreFunctional, kSince2_14, "a graph with shallow_copy_data_ into an input counts as functional",
     "the operator is new, and like copy_ it gives an input a new value at the end"},
    {Change::SymbolsAreBoundWhereMade, kSince2_14, "a data-dependent size is bound by the node that makes it, and by no other",
     "a node that only looks it up cannot replace it"},
    {Change::SymbolsAreBoundUnreplaced, kSince2_14, "the backward is also given the symbols that others were put in the place of",
     "what is asserted while it runs still names them"},
    {Change::FlopsOfKeywordProducts, kSince2_14, "the FLOP counter counts products that name a dtype",
     "the operators have learnt it; PyTorch's figures for recomputed work depend on the counter"},
    {Change::FlopsOfFlashBySequence, kSince2_14,
     "the FLOP counter takes flash attention without offsets as (batch, sequence, heads, features)", "so the operator does"},
    {Change::FlopsOfCpuAttention, kSince2_15, "the FLOP counter counts attention on the CPU", "it counted as one operation"},
    {Change::FlopsOfWideGradients, kSince2_15,
     "the FLOP counter takes packed attention's gradients to be as wide as the values",
     "values may be of another width than queries"},
    {Change::PrintedCode, kSince2_14,
     "the code of a graph calls complex() where a part is zero, infinite or no number, and has no space at a line's end",
     "such a number as Python prints it may be another when it is read again"},
    {Change::GradientsDecideLayout, kSince2_15,
     "compiled code has channels last also in a graph that has the backward of convolutions only",
     "the layout suits gradients as well, and what the forward saved has it already"},
}};
static_assert(std::ranges::adjacent_find(kChanges, std::greater_equal<>(), &ChangeRow::change) == kChanges.end());

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

std::span<const ChangeRow> changes() { return kChanges; }

bool Release::has(Change change) const {
  return kChanges[static_cast<std::size_t>(change)].in.has(*this);
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
