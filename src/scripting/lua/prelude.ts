/** The prelude's name in tracebacks, which omit it. */
export const PRELUDE = '[hub]';

/**
 * Sets up the globals of scripts. Runs once, before the state is sealed; `...` is a table with the host functions
 * and the marks of empty lists and objects.
 */
export const preludeSource = `
local hub = ...
local error, pairs, pcall, rawcollect, rawload, setmetatable, tostring, type =
  error, pairs, pcall, collectgarbage, load, setmetatable, tostring, type
local concat, pack = table.concat, table.pack

for name, value in pairs(hub) do
  local space, key = name:match("^(%w+)%.([%w_]+)$")
  if space then
    _G[space] = _G[space] or {}
    _G[space][key] = value
  end
end
sleep, emit = hub.sleep, hub.emit

dofile, loadfile, string.dump = nil, nil, nil
getmetatable("").__metatable = false

function load(chunk, name, _, ...)
  return rawload(chunk, name, "t", ...)
end

function collectgarbage(option)
  if option == nil or option == "collect" then
    rawcollect()
    return 0
  elseif option == "count" then
    return rawcollect("count")
  end
  error("collectgarbage only does 'collect' and 'count' here", 2)
end

function json.array(list)
  return setmetatable(list or {}, hub.array)
end

function json.object(fields)
  return setmetatable(fields or {}, hub.object)
end

local encode, object = json.encode, json.object

local function text(...)
  local parts = pack(...)
  for index = 1, parts.n do
    local part = parts[index]
    local ok, shown = false, nil
    if type(part) == "table" then
      ok, shown = pcall(encode, part)
    end
    parts[index] = ok and shown or tostring(part)
  end
  return concat(parts, " ")
end

log = {}
for _, level in ipairs({ "debug", "info", "warn", "error" }) do
  log[level] = function(...)
    hub.log(level, text(...))
  end
end

function print(...)
  hub.log("info", text(...))
end

function warn(...)
  hub.log("warn", concat({ ... }))
end

http = {}
for _, method in ipairs({ "get", "post", "put", "patch", "delete" }) do
  http[method] = function(url, ...)
    local first, second = ...
    local body, options = nil, first
    if type(first) == "string" then
      body, options = first, second
    end
    local rest = {}
    if options ~= nil then
      if type(options) ~= "table" then
        error("http." .. method .. " takes a URL and a table of options", 2)
      end
      for key, value in pairs(options) do
        rest[key] = value
      end
      if type(rest.body) == "string" then
        body, rest.body = rest.body, nil
      end
    end
    return hub.http(method, url, object(rest), body)
  end
end

local loaded, loading = {}, {}

function require(name)
  if type(name) ~= "string" then
    error("require takes the name of a module", 2)
  end
  local known = loaded[name]
  if known ~= nil then
    return known
  end
  if loading[name] then
    error("module '" .. name .. "' requires itself", 2)
  end
  local found = hub.module(name)
  if found.problem then
    error(found.problem, 2)
  end
  local chunk, problem = rawload(found.source, "@" .. found.file, "t")
  if not chunk then
    error(problem, 0)
  end
  loading[name] = true
  local done <close> = setmetatable({}, { __close = function() loading[name] = nil end })
  local value = chunk(name, found.file)
  if value == nil then
    value = true
  end
  loaded[name] = value
  return value
end
`;
