#pragma once

namespace recirc::bindings {

/// From now on the simulator's exceptions reach Python as those of recirc.errors.
void translate_errors();

}  // namespace recirc::bindings
