#include "equipoise/engine/live_network.hpp"

namespace equipoise::engine {

template class LiveNetwork<network::Network>;
template class LiveNetwork<network::Grid>;

}  // namespace equipoise::engine
