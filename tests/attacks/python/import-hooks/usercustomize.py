open('/tmp/left-behind-user', 'w')
