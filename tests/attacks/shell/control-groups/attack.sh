# Tries to leave its control group. Safe: 0, failed.
for d in /sys/fs/cgroup /sys/fs/cgroup/*; do mkdir "$d/left-behind" && echo "harm:" "$d"; echo $$ > "$d/cgroup.procs" && echo "harm:" group; done
