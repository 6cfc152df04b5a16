import { type HostileScript, fails, nothing, yields } from './hostile-script.ts';

/**
 * Files, processes, the environment and the network. `CANARY_FILE`, `CANARY_PORT` and `CANARY_NAME` in a script stand
 * for a file outside of its folder, a port on which someone listens, and a variable of the hub's environment.
 */
export const reaching: HostileScript[] = [
  nothing('os', 'os'),
  nothing('io', 'io'),
  nothing('debug', 'debug'),
  nothing('package', 'package'),
  nothing('dofile', 'dofile'),
  nothing('loadfile', 'loadfile'),
  nothing(
    'the JavaScript of the engine',
    'js or Promise or null or window or process or globalThis or module or exports',
  ),
  nothing('the global table under other names', '_G.os or _G["io"] or rawget(_G, "debug") or _ENV.package'),
  fails('require of a library', 'return require("os")', /module 'os' not found/),
  fails('require of package.loaded', 'return require("package").loaded', /not found/),
  fails('require of an absolute path', 'return require("CANARY_FILE")', /is not a module/),
  fails('require upwards', 'return require("../canary")', /is not a module/),
  fails('require upwards with dots', 'return require("...canary")', /is not a module/),
  fails('require with a zero byte', 'return require("a\\0/../../canary")', /is not a module/),
  fails('require of something that is no name', 'return require({})', /takes the name/),
  fails(
    'require from a coroutine',
    'return coroutine.wrap(function() return require("io") end)()',
    /not found/,
  ),
  fails('require through a link', 'return require("linked")', /outside of the script's folder/),
  fails('a file by its absolute path', 'return fs.read("CANARY_FILE")', /outside of the script's folder/),
  fails('a file upwards', 'return fs.read("../canary.txt")', /outside/),
  fails('a file upwards, in the middle', 'return fs.read("x/../../canary.txt")', /outside/),
  fails('a file with backslashes', 'return fs.read("..\\\\canary.txt")', /outside/),
  fails('a file through a link', 'return fs.read("linked.lua")', /outside/),
  fails('a folder through a link', 'return fs.list("linked-folder")', /outside/),
  fails('the root folder', 'return fs.list("/")', /outside/),
  fails('a hidden file', 'return fs.read(".env")', /outside/),
  fails('a pipe that nobody writes to', 'return fs.read("pipe")', /is not a file/),
  fails('a device', 'return fs.read("/dev/zero")', /outside/),
  fails(
    'a file with a table for a name',
    'return fs.read(setmetatable({}, { __tostring = function() return "x" end }))',
    /must be a string/,
  ),
  yields('writing files', 'return { fs.write == nil, fs.remove == nil, fs.mkdir == nil }', [
    true,
    true,
    true,
  ]),
  yields(
    'the environment',
    'return { env.get("CANARY_NAME") == nil, env.get("PATH") == nil, env.get("HOME") == nil }',
    [true, true, true],
  ),
  yields(
    'the environment by its prototype',
    'return env.get("__proto__") == nil and env.get("constructor") == nil and env.get("toString") == nil',
    true,
  ),
  fails('the network', 'return http.get("http://127.0.0.1:CANARY_PORT/")', /is not an allowed host/),
  fails(
    'the network as localhost',
    'return http.get("http://localhost:CANARY_PORT/")',
    /is not an allowed host/,
  ),
  fails('the network as IPv6', 'return http.get("http://[::1]:CANARY_PORT/")', /is not an allowed host/),
  fails(
    'the network as a number',
    'return http.get("http://2130706433:CANARY_PORT/")',
    /is not an allowed host/,
  ),
  fails(
    'the network by another notation',
    'return http.get("http://0x7f.1:CANARY_PORT/")',
    /is not an allowed host/,
  ),
  fails(
    'the network as a mapped address',
    'return http.get("http://[::ffff:127.0.0.1]:CANARY_PORT/")',
    /is not an allowed host/,
  ),
  fails(
    'the network behind a granted name',
    'return http.get("http://granted.example@127.0.0.1:CANARY_PORT/")',
    /credentials|not among/,
  ),
  fails(
    'the network from a granted host that leads home',
    'return http.get("http://localhost.granted.example:CANARY_PORT/")',
    /is not an allowed host|cannot reach|not a public/,
  ),
  fails(
    'the metadata of a cloud',
    'return http.get("http://169.254.169.254/latest/meta-data")',
    /is not an allowed host/,
  ),
  fails('a file by URL', 'return http.get("file://CANARY_FILE")', /only http and https/),
  fails('another protocol', 'return http.get("ftp://granted.example/")', /only http and https/),
  fails(
    'a header of the protocol',
    'return http.get("http://granted.example/", { headers = { Host = "127.0.0.1" } })',
    /set by the hub/,
  ),
  fails(
    'a header with a line break',
    'return http.get("http://granted.example/", { headers = { ["x-a"] = "b\\r\\nx-c: d" } })',
    /http\.get/,
  ),
];
