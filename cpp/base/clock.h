// SPDX-License-Identifier: MIT
#ifndef HEED_BASE_CLOCK_H_
#define HEED_BASE_CLOCK_H_

namespace heed {

// Milliseconds of a monotonic clock with an arbitrary origin. Only to spend a budget or to report a
// duration; no result may depend on it.
double NowMs();

}  // namespace heed

#endif  // HEED_BASE_CLOCK_H_
