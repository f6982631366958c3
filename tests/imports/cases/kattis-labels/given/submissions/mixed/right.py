# @EXPECTED_RESULTS@: CORRECT
print(sum(map(int, input().split())))
