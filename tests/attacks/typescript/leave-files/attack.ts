// Tries to leave files for whoever comes next from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

write("/tmp/left-behind-typescript", false);
write("/var/tmp/left-behind-typescript", false);
write("/dev/shm/left-behind-typescript", false);
write("/usr/bin/left-behind-typescript", true);
write("/etc/left-behind-typescript", true);
write("/srv/left-behind-typescript", true);

function write(path: string, harm: boolean): void {
    try {
        require("fs").writeFileSync(path, "mine");
        if (harm) console.log("harm: wrote " + path);
    } catch (error) {
        console.log("held");
    }
}
