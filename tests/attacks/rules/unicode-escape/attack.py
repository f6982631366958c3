# Tries to import behind the end of a line in an escape. Safe: 0, failed.
# -*- coding: unicode_escape -*-
# \x0aimport math
print(math.comb(10, 2))
