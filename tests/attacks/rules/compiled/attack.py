# Tries to hand in a module without its source. Safe: 0, failed.
import helper

print(helper.total(4))
