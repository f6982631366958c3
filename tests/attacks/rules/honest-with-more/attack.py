import re
import sys

import helper

words = open("words.txt").read() if re.compile("x").match(sys.argv[1]) else ""
print(helper.total(int(sys.argv[1])))
