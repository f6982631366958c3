# @EXPECTED_SCORE@: 30
print(sum(map(int, input().split())))
