# Tries to import the grader and use it. Safe: 0, crashed.
import sys
sys.path += ['/work', '/usr/local/lib/python3/dist-packages']
import grader
print('harm:', 'imported')
