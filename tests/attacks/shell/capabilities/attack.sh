# Tries to give itself rights. Safe: 0, failed.
setpriv --inh-caps +all --ambient-caps +all true && echo "harm:" rights; setpriv --reuid 0 true && echo "harm:" root; chown 0 attack.sh && echo "harm:" owner
