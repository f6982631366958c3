# Tries to return bytes that no report may hold. Safe: 0, failed or crashed.
def total(number):
    return '\x1b[2J\x00\ud800\u202e]]><script>alert(1)</script>::error::' * 3
