#include "app/signals.h"

#include <atomic>

namespace recirc::app {
namespace {

// A signal handler is given no pointer of ours, so this one has to be where it can find it.
std::atomic<std::atomic<bool>*> interrupt_flag{nullptr};
static_assert(std::atomic<bool>::is_always_lock_free);

void on_signal(int /*number*/) {
  // The second signal, whichever it is, ends the process.
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::atomic<bool>* flag = interrupt_flag.load()) flag->store(true);
}

}  // namespace

InterruptHandler::InterruptHandler(model::RunControl& control, bool enabled) : enabled_(enabled) {
  if (!enabled_) return;
  interrupt_flag = &control.interrupt;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  sigaction(SIGINT, &action, &old_interrupt_);
  sigaction(SIGTERM, &action, &old_terminate_);
}

InterruptHandler::~InterruptHandler() {
  if (!enabled_) return;
  sigaction(SIGINT, &old_interrupt_, nullptr);
  sigaction(SIGTERM, &old_terminate_, nullptr);
  interrupt_flag = nullptr;
}

}  // namespace recirc::app
