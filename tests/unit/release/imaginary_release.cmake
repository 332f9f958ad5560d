# Writes RELEASE (release.cpp) to OUTPUT with a release 2.16 in it that takes one change of 2.15 back, and nothing else.
file(READ ${RELEASE} text)
function(replace_once what by)
  string(FIND "${text}" "${what}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "${RELEASE} does not hold: ${what}")
  endif()
  string(REPLACE "${what}" "${by}" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()
replace_once("std::array<Release, 2> kReleases = {kTorch2_13, kTorch2_15}"
             "std::array<Release, 3> kReleases = {kTorch2_13, kTorch2_15, Release{16}}")
replace_once("each rank must ask for its own device\"}" "each rank must ask for its own device\", kTorch2_15, Release{16}}")
file(WRITE ${OUTPUT} "${text}")
