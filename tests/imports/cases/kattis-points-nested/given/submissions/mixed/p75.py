# @EXPECTED_SCORE@: 75
print(sum(map(int, input().split())))
