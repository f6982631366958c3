# @EXPECTED_RESULTS@: CORRECT, TIMELIMIT
print(sum(map(int, input().split())))
