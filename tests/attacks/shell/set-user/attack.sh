# Tries to become root by a program that may. Safe: 0, failed.
cp /bin/sh s && chmod 6755 s && [ "$(./s -p -c "id -u")" = 0 ] && echo "harm:" root; for p in su sudo pkexec; do timeout 1 $p -c id root < /dev/null | grep -q uid=0 && echo "harm:" "$p"; done; [ "$(id -u)" = 0 ] && echo "harm:" root
