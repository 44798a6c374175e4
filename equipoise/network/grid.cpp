#include "equipoise/network/grid.hpp"
