# Tries to plant a program among those of the system. Safe: 0, failed.
for d in /usr/bin /usr/lib /bin /etc /usr/local/bin /dev; do echo x > "$d/left-behind" && echo "harm:" "$d"; done
