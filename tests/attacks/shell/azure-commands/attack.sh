# Tries to give commands to Azure. Safe: 0, failed.
printf '##vso[task.setvariable variable=x]y\n##[error]pwned\n'
