print('mine')
