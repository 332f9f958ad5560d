// The release that decides.
#include "release/release.h"

#include <gtest/gtest.h>

#include <set>

#include "releases.h"

namespace fxcut {
namespace {

using Source = ReleaseChoice::Source;

void expect_choice(const ReleaseChoice& choice, Release release, Source source) {
  EXPECT_EQ(choice.release, release) << choice.release.version();
  EXPECT_EQ(name_of(choice.source), name_of(source));
}

TEST(Release, TheProducerSaysWhoseAnswerIsWanted) {
  expect_choice(choose_release("producer", "torch 2.13.0+cpu"), kTorch2_13, Source::Producer);
  expect_choice(choose_release("producer", "torch 2.15.0+cu132, written by hand"), kTorch2_15, Source::Producer);
}

TEST(Release, TheSettingOverridesTheProducer) {
  expect_choice(choose_release("2.15", "torch 2.13.0"), kTorch2_15, Source::Setting);
  expect_choice(choose_release("2.13.0", "torch 2.15.0"), kTorch2_13, Source::Setting);
}

TEST(Release, GraphsFromElsewhereAreOfTheNewest) {
  for (const char* producer :
       {"", "my own exporter", "torch", "torch nightly", "written by hand, answers of torch 2.13.0"}) {
    expect_choice(choose_release("producer", producer), kNewestRelease, Source::Newest);
  }
}

TEST(Release, AnUnknownReleaseIsTakenForANeighbour) {
  expect_choice(choose_release("producer", "torch 2.3.1"), kTorch2_4, Source::Nearest);
  expect_choice(choose_release("producer", "torch 2.16.0"), kTorch2_15, Source::Nearest);
  expect_choice(choose_release("producer", "torch 3.0.0"), kTorch2_15, Source::Nearest);
  expect_choice(choose_release("producer", "torch 1.13.1"), kTorch2_4, Source::Nearest);
  EXPECT_EQ(choose_release("producer", "torch 2.16.1").unknown_release, "2.16");
  EXPECT_EQ(choose_release("producer", "torch 2.13.0").unknown_release, "");
}

TEST(Release, KnownVersionsCanBeSet) {
  for (const char* known : {"producer", "2.4", "2.10", "2.13.0", "2.15.3"}) {
    EXPECT_TRUE(is_known_torch_version(known)) << known;
  }
  for (const char* unknown : {"", "2", "2.3", "2.16", "2.1", "3.13", "2.13x", "newest"}) {
    EXPECT_FALSE(is_known_torch_version(unknown)) << unknown;
  }
}

TEST(Release, EachChangeHasOneRowWithItsReason) {
  std::set<Change> seen;
  for (const ChangeRow& row : changes()) {
    EXPECT_TRUE(seen.insert(row.change).second) << row.what;
    EXPECT_FALSE(row.why.empty()) << row.what;
    EXPECT_TRUE(row.in.since.has(row.change)) << row.what;
    EXPECT_GT(row.in.since, known_releases().front()) << row.what;
    EXPECT_FALSE(Release{row.in.since.minor - 1}.has(row.change)) << row.what;
    if (!row.in.until) continue;
    EXPECT_FALSE(row.in.until->has(row.change)) << row.what;
    EXPECT_GT(*row.in.until, row.in.since) << row.what;
  }
}

}  // namespace
}  // namespace fxcut
