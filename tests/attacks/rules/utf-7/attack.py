# Tries to import by a line that is a comment to whoever reads UTF-8. Safe: 0, failed.
# coding: utf-7
# +AAo-import math+AAo-
print(math.comb(10, 2))
