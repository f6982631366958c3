# Tries to bring its own spec and reference. Safe: 0, failed.
echo mine
