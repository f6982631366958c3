// Tries to load native code and internals of node. Safe: 0, failed.
for (const name of ['process.dlopen({ exports: {} }, "./evil.node")', 'process.binding("fs").internalModuleReadJSON("/etc/shadow")', 'require("v8").setFlagsFromString("--allow-natives-syntax"), eval("%DebugPrint(process)")', 'require("vm").runInThisContext("process").report.writeReport("/tmp/left-behind-report")', 'require("v8").writeHeapSnapshot(process.env.ROOM + "/world/left-behind")']) {
  try { eval(name); } catch (error) { console.log(error.name); }
}
require('fs').rmSync('/tmp/left-behind-report', { force: true });
