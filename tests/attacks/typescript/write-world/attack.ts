// Tries to write into a file that everybody may write from TypeScript. Safe: 0, failed or crashed.
declare const require: any, process: any, Buffer: any;

write(process.env.ROOM + "/world/precious", true);

function write(path: string, harm: boolean): void {
    try {
        require("fs").writeFileSync(path, "mine");
        if (harm) console.log("harm: wrote " + path);
    } catch (error) {
        console.log("held");
    }
}
