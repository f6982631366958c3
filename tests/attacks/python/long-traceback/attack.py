# Tries to confuse the report by its exception. Safe: 0, crashed or failed.
class Evil(Exception):
    def __str__(self):
        return '\x1b[2J</failure>]]>::error::' + 'A' * 100000
raise Evil
