import type { Scaffold } from './scaffold.ts';

/** A working tool. */
export function scaffoldTool(name: string): Scaffold {
  return {
    path: `tools/${name}.lua`,
    text: lua(name),
    config: `[tools.script.${name}]\npath = "tools/${name}.lua"\ntimeout = 30\n# allow_hosts = ["api.example.com"]\n# api_token = "\${EXAMPLE_API_TOKEN}"\n`,
  };
}

const lua = (name: string) => `-- tools/${name}.lua

tool = {}

tool.name = "${name}"
tool.description = "Counts the words and lines of a text"

-- The parameters, checked before the script runs, with defaults filled in. May also be a JSON Schema.
tool.parameters = {
    { name = "text", type = "string", required = true, description = "The text to count" },
    { name = "unit", type = "string", enum = { "words", "lines", "both" }, default = "both", description = "What to count" },
}

-- params: as declared above. context: config (the other keys of [tools.script.${name}]), search, get and sources.
-- http, json, log, env and others are globals; http can only use hosts in allow_hosts.
function tool.execute(params, context)
    local result = {}
    if params.unit ~= "lines" then
        local _, words = string.gsub(params.text, "%S+", "")
        result.words = words
    end
    if params.unit ~= "words" then
        local _, breaks = string.gsub(params.text, "\\n", "")
        result.lines = breaks + 1
    end
    return result
end

return tool
`;
