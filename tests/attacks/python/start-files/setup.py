for path in ('/tmp/left-behind-start', '/srv/left-behind-start'):
    try:
        open(path, 'w').close()
    except OSError:
        pass
print('harm: was started')
