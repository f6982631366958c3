# @EXPECTED_RESULTS@: WRONG-ANSWER
print(sum(map(int, input().split())))
