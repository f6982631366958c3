// Tries to keep the compiler busy by constants. Safe: 0, build-failed.
#pragma GCC optimize("-fconstexpr-loop-limit=2147483647", "-fconstexpr-ops-limit=9223372036854775807")
constexpr unsigned spin(unsigned n) {
    unsigned sum = 0;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = 0; j < 200000; j++) sum += i ^ j;
    return sum;
}
constexpr unsigned all[] = {spin(60000), spin(60001), spin(60002), spin(60003)};
static_assert(all[0] + spin(100000) > 0);
int main() {}
