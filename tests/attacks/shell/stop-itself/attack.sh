# Tries to stop and never go on. Safe: 0, failed or timeout.
(sleep 1; kill -CONT $$) & kill -STOP $$; exit 0
