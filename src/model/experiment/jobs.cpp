#include "model/experiment/jobs.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "model/experiment/rounding.h"
#include "sim/error.h"

namespace recirc::model::experiment {
namespace {

/// What the threads of one run_jobs share.
class Pool {
 public:
  Pool(const std::vector<Job>& jobs, RunControl& control, const Finished& finished)
      : jobs_(jobs), control_(control), finished_(finished) {}

  /// Takes jobs until there are none, or some failed or were interrupted.
  void work() {
    while (true) {
      std::size_t index = 0;
      {
        const std::lock_guard lock(mutex_);
        if (stopped_ || control_.interrupt || next_ == jobs_.size()) return;
        index = next_++;
      }
      try {
        const Job& job = jobs_[index];
        ReplicationResult result = job.run->run(job.replication, control_, job.log_file);
        round_figures(result);
        const std::lock_guard lock(mutex_);
        finished_(index, std::move(result));
        ++done_;
      } catch (const sim::Interrupted&) {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
      } catch (...) {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
        if (!error_ || index < failed_) {
          failed_ = index;
          error_ = std::current_exception();
        }
      }
    }
  }

  /// Throws the first job's error; true when all jobs are done.
  [[nodiscard]] bool finish() const {
    if (error_) std::rethrow_exception(error_);
    return done_ == jobs_.size();
  }

 private:
  const std::vector<Job>& jobs_;
  RunControl& control_;
  const Finished& finished_;
  std::mutex mutex_;
  std::size_t next_ = 0;
  std::size_t done_ = 0;
  bool stopped_ = false;
  std::size_t failed_ = 0;
  std::exception_ptr error_;
};

}  // namespace

bool run_jobs(const std::vector<Job>& jobs, unsigned threads, RunControl& control,
              const Finished& finished) {
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t wanted = std::min<std::size_t>(threads, jobs.size());
  Pool pool(jobs, control, finished);
  std::vector<std::jthread> helpers;  // joins on every way out
  try {
    while (helpers.size() + 1 < wanted) helpers.emplace_back([&pool] { pool.work(); });
  } catch (const std::system_error&) {
    // The host gives no more threads: go on with those there are.
  }
  pool.work();
  helpers.clear();
  return pool.finish();
}

std::vector<Job> replications_of(const std::shared_ptr<const PreparedRun>& run) {
  std::vector<Job> jobs;
  for (std::uint64_t i = 0; i < run->replications(); ++i) jobs.push_back({run, i, {}});
  return jobs;
}

std::uint64_t operations_of(const std::vector<Job>& jobs) {
  std::uint64_t sum = 0;
  for (const Job& job : jobs) {
    const std::uint64_t operations = job.run->operations();
    if (operations == 0) return 0;
    sum += operations;
  }
  return sum;
}

}  // namespace recirc::model::experiment
