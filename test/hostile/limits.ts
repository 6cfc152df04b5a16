import { type HostileScript, fails, resolving, timesOut, yields } from './hostile-script.ts';

const endless = 'while true do end';
const fillsMemory = 'local t = {} for i = 1, 1e9 do t[i] = ("x"):rep(1000) .. i end';

/** Time, memory, output, host calls and the stack: limits that a script can neither catch nor outlive. */
export const exceeding: HostileScript[] = [
  timesOut('a loop', endless),
  timesOut('a loop in pcall', `while true do pcall(function() ${endless} end) end`),
  timesOut('a loop in xpcall, with a handler that loops', `xpcall(error, function() ${endless} end)`),
  timesOut('a loop in a coroutine', `coroutine.wrap(function() ${endless} end)()`),
  timesOut('coroutines without end', 'while true do coroutine.wrap(function() coroutine.yield() end)() end'),
  timesOut(
    'a loop in __index',
    `local t = setmetatable({}, { __index = function() ${endless} end }) return t.x`,
  ),
  timesOut('a loop in __gc', `setmetatable({}, { __gc = function() ${endless} end }) collectgarbage()`),
  timesOut(
    'a loop in __close',
    `local x <close> = setmetatable({}, { __close = function() ${endless} end })`,
  ),
  timesOut(
    'a loop in __lt while sorting',
    `local m = { __lt = function() ${endless} end } table.sort({ setmetatable({}, m), setmetatable({}, m) })`,
  ),
  timesOut(
    'a loop in __tostring of an error',
    `error(setmetatable({}, { __tostring = function() ${endless} end }))`,
  ),
  timesOut(
    'a loop in __pairs',
    `for _ in pairs(setmetatable({}, { __pairs = function() return function() return 1 end end })) do end`,
  ),
  timesOut('a loop in __concat', `return "" .. setmetatable({}, { __concat = function() ${endless} end })`),
  timesOut('a loop by goto', '::again:: goto again'),
  timesOut('a loop of tail calls', 'local function f() return f() end return f()'),
  timesOut('a loop in what it loads', 'load("while true do end")()'),
  timesOut('a loop in a reader of load', 'load(function() return " " end)'),
  timesOut('a loop in gsub', `("x"):gsub("x", function() ${endless} end)`),
  timesOut(
    'a pattern that takes for ever',
    'return string.find(string.rep("a", 40), string.rep("a?", 40) .. string.rep("a", 40))',
  ),
  timesOut('a pattern that backtracks', 'return ("x"):rep(30000):find((".-"):rep(20) .. "y")'),
  timesOut('sleep', 'sleep(1e9)'),
  timesOut('sleep for ever', 'sleep(math.huge)'),
  timesOut('sleep in pcall', 'while true do pcall(sleep, 3600) end'),
  timesOut('a search that never ends', 'return context.search("hang")'),
  timesOut('a search that never ends, in pcall', 'while true do pcall(context.search, "hang") end'),
  timesOut(
    'a search that never ends, in a coroutine',
    'coroutine.wrap(function() context.search("hang") end)()',
  ),
  timesOut('garbage without end', 'while true do local _ = {} end'),
  timesOut('a string that moves without end', 'local s = ("x"):rep(1e6) while true do s = s:reverse() end'),
  {
    name: 'a loop outside of its functions',
    unreadable: true,
    lua: `agent = {} ${endless}`,
    ends: { error: 'timeout' },
  },

  fails('a table without end', fillsMemory, /memory limit of 64 MiB/),
  fails(
    'a table without end, caught',
    `pcall(function() ${fillsMemory} end) return "survived"`,
    /memory limit/,
  ),
  fails(
    'a table without end, caught for ever',
    `while true do pcall(function() ${fillsMemory} end) end`,
    /memory limit/,
  ),
  fails(
    'a table without end in a coroutine',
    `coroutine.resume(coroutine.create(function() ${fillsMemory} end)) return "survived"`,
    /memory limit/,
  ),
  fails(
    'a table without end in __gc',
    `setmetatable({}, { __gc = function() ${fillsMemory} end }) collectgarbage() return "survived"`,
    /memory limit/,
  ),
  fails('string.rep', 'return ("x"):rep(1e9)', /memory limit/),
  fails('string.rep, caught', 'pcall(string.rep, "x", 1e9) return "survived"', /memory limit/),
  fails(
    'string.rep, caught twice',
    'pcall(string.rep, "x", 1e9) pcall(string.rep, "x", 1e9) return "survived"',
    /memory limit/,
  ),
  fails('string.rep beyond numbers', 'return ("x"):rep(1 << 62)', /resulting string too large/),
  fails('a string that doubles', 'local s = "x" while true do s = s .. s end', /memory limit/),
  fails(
    'table.concat',
    'local t = {} for i = 1, 1000 do t[i] = ("x"):rep(1e5) end return table.concat(t)',
    /memory limit/,
  ),
  fails('gsub', 'return ("x"):rep(1e5):gsub("x", ("y"):rep(1e4))', /memory limit/),
  fails(
    'string.format',
    'local s = ("%s"):rep(100) return s:format(table.unpack((function() local t = {} for i = 1, 100 do t[i] = ("x"):rep(1e6) end return t end)()))',
    /memory limit/,
  ),
  fails('a wide format', 'return ("%999999999d"):format(1)', /invalid conversion/),
  fails(
    'many coroutines',
    'local t = {} while true do t[#t + 1] = coroutine.create(function() end) end',
    /memory limit/,
  ),
  fails(
    'many closures',
    'local t = {} while true do local x = #t t[#t + 1] = function() return x end end',
    /memory limit/,
  ),
  fails(
    'a long chunk',
    'return load("return {" .. ("{},"):rep(3e6) .. "}")()',
    /memory limit|overflow|table/,
  ),
  fails('table.unpack of too much', 'return table.unpack({}, 1, 1e8)', /too many results/),
  timesOut('table.move', 'table.move({ 1 }, 1, 1e9, 1, {})'),
  fails(
    'utf8.char',
    'return utf8.char(table.unpack((function() local t = {} for i = 1, 2e5 do t[i] = 0x7fffffff end return t end)()))',
    /./,
  ),
  fails(
    'what json.encode makes',
    'local t = {} for i = 1, 1000 do t[i] = ("x"):rep(1e4) end for i = 1, 8 do t = { t, t } end return json.encode(t)',
    /too large/,
  ),
  fails('a result that is too large', 'return { system = ("x"):rep(9e6) }', /exceeds the limit of \d+ bytes/),
  fails(
    'a result that shares its parts',
    'local t = "x" for i = 1, 50 do t = { t, t } end return t',
    /exceeds the limit of \d+ bytes/,
  ),
  fails('a log without end', 'while true do log.info("x") end', /log exceeds the limit/),
  fails(
    'a log without end, caught',
    'while true do pcall(print, ("x"):rep(1e5)) end',
    /log exceeds the limit/,
  ),
  fails('host calls without end', 'while true do context.search("x") end', /limit of 100 host calls/),
  fails(
    'host calls without end, caught',
    'while true do pcall(context.get, "missing") end',
    /limit of 100 host calls/,
  ),
  fails('files without end', 'while true do pcall(fs.read, "missing") end', /limit of 100 host calls/),

  fails('a function that calls itself', 'local function f() return 1 + f() end return f()', /stack overflow/),
  yields(
    'a function that calls itself, caught',
    'local function f() return 1 + f() end return (pcall(f))',
    false,
  ),
  fails(
    'pcall in pcall without end',
    'local function f() local ok, why = pcall(f) if not ok then error(why, 0) end end f()',
    /overflow/,
  ),
  fails(
    'gsub in gsub without end',
    'local function f(s) return (s:gsub(".", f)) end return f("x")',
    /overflow/,
  ),
  fails(
    'sort in sort without end',
    'local function f() table.sort({ 1, 2, 3 }, f) end f()',
    /overflow|invalid order/,
  ),
  fails(
    'a metamethod that calls itself',
    'local t = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x',
    /overflow/,
  ),
  fails(
    'a chain of __index',
    'local t = {} for i = 1, 5000 do t = setmetatable({}, { __index = t }) end return t.x',
    /chain too long|overflow/,
  ),
  fails(
    'coroutines in coroutines without end',
    'local function f() return coroutine.wrap(f)() end return f()',
    /overflow/,
  ),
  fails(
    'a text of brackets',
    'return load("return " .. ("("):rep(1e5) .. "1")() ',
    /attempt to call a nil value|overflow/,
  ),
  fails(
    'an error in the handler of errors',
    'xpcall(error, function() error("again") end) error("still here")',
    /still here/,
  ),
  fails(
    '__tostring that calls itself',
    'local t t = setmetatable({}, { __tostring = function() return tostring(t) end }) error(t)',
    /without a message|overflow/,
  ),
  fails(
    '__close that throws',
    'local a <close> = setmetatable({}, { __close = function() error("closing") end }) error("body")',
    /closing/,
  ),
  {
    name: 'memory while it is being loaded',
    unreadable: true,
    lua: `${fillsMemory} ${resolving('return 1')}`,
    ends: { error: 'agent_error', says: /memory limit/ },
  },
];
