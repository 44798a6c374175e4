// Functions for archives are found beside the items too.
// expected: pass CerealSerialiser<T>() after the options
#include <string>
#include <vector>

#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/plan.hpp"

namespace tasks {

struct Task {
    std::string name;
};
template <class Archive>
void serialize(Archive& archive, Task& task) {
    archive(task.name);
}
struct Number {
    int number = 0;
};
template <class Archive>
void serialize(Archive& archive, Number& number) {
    archive(number.number);
}

#if defined(MISTAKE)
using Item = Task;
#else
using Item = Number;  // travels as bytes, whatever else it can do
#endif

[[maybe_unused]] void move(const equipoise::balancer::Plan& plan, std::vector<Item>& items) {
    plan.execute(items);
}

}  // namespace tasks
