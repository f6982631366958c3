# @EXPECTED_SCORE@: 0
print(3)
