# Tries to make files that nobody can remove. Safe: 0, failed.
mkdir -p a/b; touch a/b/c; chmod 0 a/b/c a/b a .; chattr +i a
