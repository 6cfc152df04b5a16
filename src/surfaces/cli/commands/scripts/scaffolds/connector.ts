import type { Scaffold } from './scaffold.ts';

/** A working connector. */
export function scaffoldConnector(name: string): Scaffold {
  return {
    path: `connectors/${name}.lua`,
    text: lua(name),
    config: `[connectors.script.${name}]\npath = "connectors/${name}.lua"\n# allow_hosts = ["api.example.com"]\n# api_token = "\${EXAMPLE_API_TOKEN}"\n`,
  };
}

const lua = (name: string) => `-- connectors/${name}.lua

connector = {}

connector.name = "${name}"
connector.description = "Adds documents to the knowledge base"

-- Emits all current documents: those that are no longer emitted are deleted.
-- config: the other keys of [connectors.script.${name}]. checkpoint: the value that the last run returned.
-- Fetch pages with http.get (allow_hosts grants the hosts), or read files beside this one with fs.read.
function connector.scan(config, checkpoint)
    emit({
        path = "welcome.md",
        title = "Welcome",
        body = "# Welcome\\n\\nThis document comes from the connector ${name}.",
        updated_at = "2026-01-01T00:00:00Z",
        metadata = { kind = "example" },
    })
    return { checkpoint = "1" }
end

return connector
`;
