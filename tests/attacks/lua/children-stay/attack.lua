-- Tries to leave a child that holds the output open. Safe: 0, failed.
os.execute([[trap '' TERM HUP; setsid sh -c 'sleep 30; : left-behind' & ]])
print('done')
