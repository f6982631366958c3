# @EXPECTED_SCORE@: 100
print(sum(map(int, input().split())))
