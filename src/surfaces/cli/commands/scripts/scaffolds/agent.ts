import type { Scaffold } from './scaffold.ts';

export type AgentLanguage = 'lua' | 'ts' | 'md' | 'toml';

/** A working agent. `folder` is searched for Markdown agents. */
export function scaffoldAgent(id: string, language: AgentLanguage, folder: string): Scaffold {
  const entry = (table: string, path: string) => `[agents.${table}.${id}]\npath = "${path}"\ntimeout = 30\n`;
  const scaffolds: Record<AgentLanguage, () => Scaffold> = {
    lua: () => ({ path: `agents/${id}.lua`, text: lua(id), config: entry('script', `agents/${id}.lua`) }),
    ts: () => ({ path: `agents/${id}.ts`, text: typescript(id), config: entry('module', `agents/${id}.ts`) }),
    md: () => ({ path: `${folder}/${id}.md`, text: markdown(id), config: '' }),
    toml: () => ({ path: 'zoo.toml', text: toml(id), config: toml(id) }),
  };
  return scaffolds[language]();
}

const lua = (id: string) => `-- agents/${id}.lua

agent = {}

agent.name = "${id}"
agent.description = "Answers questions about a topic from the project's own documents"

-- The tools it may call. Omit this for the read-only built-in tools.
agent.tools = { "search", "get" }

-- The arguments it takes. Required ones are checked before anything runs.
agent.arguments = {
    { name = "topic", description = "The topic", required = false },
}

-- args: the arguments of the call. config: the other keys of [agents.script.${id}].
-- context: search, get and sources of the knowledge base.
function agent.resolve(args, config, context)
    local topic = args.topic or "this project"

    local found = context.search({ query = topic, limit = config.search_limit or 3 })
    local documents = {}
    for _, hit in ipairs(found) do
        local document = context.get(hit.id)
        table.insert(documents, "## " .. document.title .. "\\n" .. document.body)
    end
    log.info("found " .. #found .. " documents about " .. topic)

    return {
        system = string.format([[
You answer questions about %s. Name the document that each answer is from. If the documents do not have the answer, say so.

%s]], topic, table.concat(documents, "\\n\\n")),
        messages = {
            { role = "assistant", content = "I have read " .. #found .. " documents about " .. topic .. ". What would you like to know?" },
        },
    }
end

return agent
`;

const typescript = (id: string) => `import { defineAgent } from 'agent-zoo/agent';

export default defineAgent({
  name: '${id}',
  description: "Answers questions about a topic from the project's own documents",

  // The tools it may call. Omit this for the read-only built-in tools.
  tools: ['search', 'get'],

  // The arguments it takes: a list, or a schema of zod, valibot, arktype, …
  arguments: [{ name: 'topic', description: 'The topic', required: false }],

  async resolve(args, ctx) {
    const topic = args.topic ?? 'this project';

    const found = await ctx.search(topic, { limit: 3 });
    const documents = await Promise.all(found.map((hit) => ctx.get(hit.id)));
    ctx.log.info(\`found \${found.length} documents about \${topic}\`);

    return {
      system: [
        \`You answer questions about \${topic}. Name the document that each answer is from. If the documents do not have the answer, say so.\`,
        ...documents.map(({ title, body }) => \`## \${title}\\n\${body}\`),
      ].join('\\n\\n'),
      messages: [
        {
          role: 'assistant',
          content: \`I have read \${found.length} documents about \${topic}. What would you like to know?\`,
        },
      ],
    };
  },
});
`;

const markdown = (id: string) => `---
name: ${id}
description: Answers questions about this project
---

You answer questions about this project. Search its documents before you answer, and name the document that each answer is from.
`;

const toml = (id: string) => `[agents.${id}]
description = "Answers questions about this project"
tools = ["search", "get"]
system_prompt = """
You answer questions about this project. Search its documents before you answer, and name the document that each answer is from.
"""
`;
