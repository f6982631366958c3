# -*- coding: latin-1 -*-
import sys

print(sum(range(int(sys.argv[1]) + 1)))
