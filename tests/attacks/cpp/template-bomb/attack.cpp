// Tries to keep the compiler busy by templates. Safe: 0, build-failed.
template <int N, int M> struct Tree { static const int value = Tree<N - 1, 2 * M>::value + Tree<N - 1, 2 * M + 1>::value; };
template <int M> struct Tree<0, M> { static const int value = M; };
int main() { return Tree<26, 0>::value; }
