#pragma once

#include <cstdint>

#include "model/request.h"

namespace recirc::model {

/// What happens to an operation outside the switch.
enum class Moment : std::uint8_t {
  issued,            ///< leaves its client
  sent_again,        ///< likewise: no answer has come
  asked_again,       ///< likewise: the answer did not end it
  at_server,         ///< has arrived there
  parked,            ///< the server keeps it back, holding its worker
  in_store,          ///< queues for the store
  committed,         ///< the store has carried it out
  turned_away,       ///< the server has refused to carry it out as it was asked
  answer_kept_back,  ///< the server waits before it answers
  completed,         ///< the answer is at the client
  gave_up,           ///< the client's time-out
};

/// Sees operations go by; changes nothing. For traces.
class OpObserver {
 public:
  virtual ~OpObserver() = default;
  virtual void happened(Moment moment, const Request& request, RequestHandle handle) = 0;
};

}  // namespace recirc::model
