// Tries to flood the log of the build. Safe: 0, build-failed.
#define A(x) x x x x x x x x x x
#define B(x) A(A(A(A(x))))
#pragma message("\x1b[2J::error::harm of the log \u202e")
template <typename T> struct S { typename T::none value; };
B(S<int> a;)
int main() { undeclared; }
#error "::set-output name=score::10"
