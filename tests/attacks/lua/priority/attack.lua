-- Tries to take the time of others by a priority. Safe: 0, failed.
print(os.execute('renice -n 19 -p $VICTIM > /dev/null 2>&1') and 'harm: changed' or 'refused')
print(os.execute('taskset -p 1 $VICTIM > /dev/null 2>&1') and 'harm: changed' or 'refused')
print(os.execute('chrt -i -p 0 $VICTIM > /dev/null 2>&1') and 'harm: changed' or 'refused')
