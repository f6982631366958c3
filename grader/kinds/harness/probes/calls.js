// Calls the functions of a file and tells what happened. It runs alone, in the sandbox: the modules of Node.js only.
//
// The protocol is that of docs/reference/probes.md. A file is run as a script, so that what it defines at its top can be
// called whether or not it exports it; one with `import` or `export` is a module, of which what it exports can be called.
(async () => {
    "use strict";
    const fs = require("fs"), path = require("path"), url = require("url"), vm = require("vm");
    const { createRequire } = require("module"), { createHash } = require("crypto");
    const MOST_VALUES = 100000, MOST_CHARACTERS = 1000000, DEEPEST = 30, MOST_SHOWN = 200, LONGEST_MESSAGE = 1000;
    const { writeSync, readSync, openSync, closeSync } = fs, { apply } = Reflect, { stringify, parse } = JSON;
    const end = process.reallyExit.bind(process);
    const here = process.cwd() + path.sep;

    class ProcessExit extends Error {}
    process.exit = (status) => { throw new ProcessExit(String(status ?? "")); };

    function readExactly(length) {
        const data = Buffer.alloc(length);
        for (let at = 0; at < length;) {
            const count = readSync(0, data, at, length - at, null);
            if (count === 0) throw new Error("the request is cut off");
            at += count;
        }
        return data.toString();
    }

    function write(file, text) {
        const data = Buffer.from(text);
        for (let at = 0; at < data.length;) {
            try {
                at += writeSync(file, data, at);
            } catch (error) {
                if (error.code !== "EAGAIN") return;  // the student may have closed it
            }
        }
    }

    const request = parse(readExactly(Number(readExactly(10))));
    const record = path.resolve(request.record), seal = createHash("sha256").update(request.secret);
    const content = createHash("sha256"), { copy, digest, update } = content;
    delete request.secret;
    fs.closeSync(fs.openSync(record, "ax", 0o644));
    const spare = openSync("/dev/null", "r");
    const text = (hash) => apply(digest, apply(copy, hash, []), ["hex"]);
    function tell(line) {
        apply(update, content, [line]);
        const sealed = apply(digest, apply(update, apply(copy, seal, []), [text(content)]), ["hex"]);
        let file;
        try {
            file = openSync(record, "a");
        } catch {
            closeSync(spare); // of a program that keeps all open that it may
            file = openSync(record, "a");
        }
        write(file, `${sealed}${line}\n`);
        closeSync(file);
    }
    const mark = () => write(1, `\x1e${request.mark}\n`);
    mark();

    const form = (name) => request.match === "exact" ? name : name.toLowerCase();

    async function load(name) {
        const full = path.resolve(name), source = fs.readFileSync(full, "utf8");
        const module = { exports: {}, id: full, filename: full, loaded: false };
        Object.assign(globalThis, { module, exports: module.exports, require: createRequire(full) });
        Object.assign(globalThis, { __filename: full, __dirname: path.dirname(full) });
        const known = new Set(Object.getOwnPropertyNames(globalThis));
        process.argv = [process.argv[0], full];
        const found = Object.create(null);  // without a `toString` of its own
        let errors = [];
        try {
            vm.runInThisContext(source, { filename: full });
        } catch (caught) {
            errors = [caught];
        }
        if (errors[0] instanceof SyntaxError && /\b(import|export)\b/.test(errors[0].message)) {
            const copy = full.replace(/\.js$/, "") + ".mjs";
            if (!fs.existsSync(copy)) fs.copyFileSync(full, copy);
            errors = [];
            await import(url.pathToFileURL(copy)).then((own) => Object.assign(found, own), (one) => errors.push(one));
        }
        tell(`{"event":"loaded","error":${errors.length ? raised(errors[0]) : null}}`);
        const names = [...source.matchAll(/^(?:async +)?(?:function\*?|const|let|var|class) +([A-Za-z_$][\w$]*)/gm)];
        for (const [, one] of names) {
            try {
                found[one] ??= vm.runInThisContext(one);
            } catch {}  // an error ended the file before it was defined
        }
        for (const one of Object.getOwnPropertyNames(globalThis)) if (!known.has(one)) found[one] ??= globalThis[one];
        const exported = module.exports;
        if (typeof exported === "function" && exported.name) found[exported.name] ??= exported;
        if (typeof exported === "object" && exported) for (const one of Object.keys(exported)) found[one] ??= exported[one];
        return found;
    }

    const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

    function heading(name, value) {
        const text = Function.prototype.toString.call(value);
        const params = isClass(value) ? /\bconstructor\s*\(([^)]*)\)/.exec(text) : /^[^(]*\(([^)]*)\)/.exec(text);
        return `${isClass(value) ? "class" : "function"} ${name}(${params ? params[1].replace(/\s+/g, " ").trim() : ""})`;
    }

    function best(named, call) {
        const alike = call.names.flatMap((wanted) =>
            Object.keys(named).filter((name) => form(name) === form(wanted)).sort((a, b) => (b === wanted) - (a === wanted)));
        const fitting = alike.find((name) => named[name].length <= call.args.length);
        if (fitting !== undefined) return { name: fitting, value: named[fitting] };
        const shown = (alike.length ? alike : Object.keys(named)).slice(0, MOST_SHOWN);
        return { same_name: alike.length > 0, found: shown.map((name) => heading(name, named[name])) };
    }

    function methods(kind) {
        const named = Object.create(null);  // without a `toString` of its own
        for (let at = kind.prototype; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
            for (const name of Object.getOwnPropertyNames(at)) {
                const { value, get } = Object.getOwnPropertyDescriptor(at, name);
                if (get && name !== "__proto__") named[name] ??= get;
                if (name !== "constructor" && typeof value === "function") named[name] ??= value;
            }
        }
        return named;
    }

    function raised(error) {
        const kinds = [];
        for (let at = Object(error); at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
            const name = Object.prototype.hasOwnProperty.call(at, "constructor") ? at.constructor.name : "";
            if (name && !kinds.includes(name)) kinds.push(name);
        }
        let message = "", stack = "";
        try {
            message = well(String(error instanceof Error ? error.message : error).slice(0, LONGEST_MESSAGE));
            stack = String(error.stack);
        } catch {}  // the student's own
        const own = stack.split("\n").map((line) => /(?:^|\(|at |\/\/)(\/[^():]*):(\d+)(?::\d+)?\)?$/.exec(line))
            .find((line) => line && line[1].startsWith(here));
        const place = own ? `${own[1].slice(here.length)}:${own[2]}` : "";
        return stringify({ type: kinds[0] ?? typeof error, kinds, message, place });
    }

    const lone = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
    const well = (text) => text.replace(lone, (one) => `\\u${one.charCodeAt(0).toString(16)}`);

    function told(value) {
        try {
            return json(value, { values: MOST_VALUES, characters: MOST_CHARACTERS }, 0);
        } catch {  // too much, or the student's own class
            return stringify({ opaque: typeof value });
        }
    }

    function json(value, room, depth) {
        if (--room.values < 0 || depth > DEEPEST) throw new Error("too much");
        const list = (items, deeper) => `[${Array.from(items, (item) => json(item, room, depth + deeper)).join()}]`;
        if (value === undefined) return stringify({ opaque: "undefined", text: "undefined" });
        if (value === null || typeof value === "boolean" || Number.isFinite(value)) return stringify(value);
        if (typeof value === "number") return stringify({ float: String(value).replace("Infinity", "inf").toLowerCase() });
        if (typeof value === "bigint" || typeof value === "string") {
            room.characters -= String(value).length;
            if (room.characters < 0) throw new Error("too much");
            return typeof value === "string" ? stringify(well(value)) : String(value);
        }
        if (typeof value === "object") {
            const size = value.length ?? value.size ?? 0;
            if (size > room.values) throw new Error("too much");
            if (Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView))) return list(value, 1);
            if (value instanceof Map) return `{"map":${list(value.entries(), 2)}}`;
            if (value instanceof Set) return `{"set":${list(value.values(), 2)}}`;
            const kind = Object.getPrototypeOf(value);
            if (kind === null || kind === Object.prototype) return `{"map":${list(Object.entries(value), 2)}}`;
        }
        const name = value.constructor?.name || typeof value;
        const says = typeof value === "object" && value.toString !== Object.prototype.toString;
        return stringify(says ? { opaque: name, text: well(String(value).slice(0, MOST_CHARACTERS)) } : { opaque: name });
    }

    const made = { maker: null, instance: undefined, args: null };
    const ofMain = () => made.args ??= request.calls[request.main].args.map(argument);

    function argument(value) {
        if (Array.isArray(value)) return value.map(argument);
        if (value === null || typeof value !== "object") return value;
        const [[kind, inner]] = Object.entries(value);
        if (kind === "argument") return ofMain()[inner];
        const items = inner.map(argument);
        if (kind === "new") return Reflect.construct(made.maker, items);
        if (kind === "set") return new Set(items);
        return items.every(([key]) => typeof key === "string") ? Object.fromEntries(items) : new Map(items);
    }

    function find(named, call) {
        const isWanted = ([, value]) => typeof value === "function" && isClass(value) === Boolean(call.makes);
        const isFree = call.makes || made.maker === null;
        const found = best(isFree ? Object.fromEntries(Object.entries(named).filter(isWanted)) : methods(made.maker), call);
        if (call.makes) made.maker = found.value ?? null;
        if (found.value === undefined || made.maker === null) return found;
        if (call.makes) return { value: (...args) => (made.instance = Reflect.construct(found.value, args)) };
        return { value: (...args) => {
            const method = made.instance[found.name];  // what a getter returns is the value, unless that can be called
            return args.length || typeof method === "function" ? apply(method, made.instance, args) : method;
        } };
    }

    async function callEach(found) {
        const functions = [];
        for (const [number, call] of request.calls.entries()) {
            const { value, ...others } = find(found, call);
            if (value !== undefined) functions.push(value);
            else tell(stringify({ event: "missing", call: number, ...others }));
            if (value === undefined && call.makes) return;  // nobody knows its methods
        }
        for (const [number, call] of functions.length === request.calls.length ? request.calls.entries() : []) {
            mark();
            try {
                const returned = await functions[number](...number === request.main ? ofMain() : call.args.map(argument));
                tell(`{"event":"returned","value":${told(returned)}}`);
            } catch (error) {
                const goesOn = request.goes_on && !call.makes;
                tell(`{"event":"raised","error":${raised(error)},"goes_on":${goesOn}}`);
                if (!goesOn) return;
                continue;
            }
            if (number >= request.main) tell(`{"event":"args","value":[${(made.args ?? []).map(told).join()}]}`);
        }
    }

    try {
        const name = request.in.find((one) => fs.existsSync(one) && fs.statSync(one).isFile());
        const others = fs.readdirSync(".").filter((one) => /\.[cm]?js$/.test(one)).sort().slice(0, MOST_SHOWN);
        if (name === undefined) tell(stringify({ event: "absent", found: others }));
        else await callEach(await load(name));
    } catch (fault) {  // the student's, who put something in the place of what we use
        tell(stringify({ event: "fault", message: String(fault).slice(0, LONGEST_MESSAGE) }));
    }
    end(0);
})();
