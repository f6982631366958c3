#include <cstdio>
#include <cstdlib>

template <typename T> class Sum {
public:
    explicit Sum(T n) : n_(n) {}
    T value() const { return n_ == 0 ? 0 : n_ + Sum(n_ - 1).value(); }

private:
    T n_;
};

int main(int, char **argv) { std::printf("%lld\n", Sum<long long>(std::atoll(argv[1])).value()); }
