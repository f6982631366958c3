open('/tmp/left-behind-grader', 'w')
