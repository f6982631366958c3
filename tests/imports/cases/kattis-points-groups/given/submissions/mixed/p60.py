# @EXPECTED_SCORE@: 60
print(sum(map(int, input().split())))
