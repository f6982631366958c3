# @EXPECTED_RESULTS@: RUN-ERROR
a, b = map(int, input().split())
print(a + b if a < 10 else 0)
1 / 0
