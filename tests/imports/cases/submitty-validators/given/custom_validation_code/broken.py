print('no JSON')
