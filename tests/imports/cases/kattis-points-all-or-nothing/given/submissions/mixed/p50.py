# @EXPECTED_SCORE@: 50
print(sum(map(int, input().split())))
