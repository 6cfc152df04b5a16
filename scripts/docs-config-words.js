/**
 * Describes every section and key of the config. Sections are in brackets, `*` stands for a name, and `*.key`
 * applies to all keys of that name without a description.
 * @type {Record<string, string>}
 */
export const words = {
  '[server]': 'Where the hub listens.',
  'server.bind': 'Address and port. `--host` and `--port` win over it; the default is `127.0.0.1:7331`.',
  'server.allowed_hosts': 'Host names besides loopback that requests may use; with a port, only that port.',

  '[db]': 'The store.',
  'db.path': 'Ignored, with a note: everything the hub writes is under `ZOO_HOME`.',
  'db.url': 'A Postgres database, for several hubs on one store. Not used yet.',

  '[workspace]': 'Agents that are shown first: in lists, on the page and by `zoo connect`.',
  'workspace.default_agent': 'The id of the agent to start with.',
  'workspace.suggested': 'The ids of further agents to show first, in this order.',

  '[markdown]': 'Agents in Markdown files.',
  'markdown.folders':
    'Their folders. Default: `.claude/agents`, and `agents` if the folder has a config. A folder outside of the workspace needs trust.',

  '[mcp]': 'The MCP surface.',
  'mcp.editing': 'False hides the tools that change agents.',
  '[a2a]': 'Agents in `autonomous` mode, for other agents. See [A2A](a2a.md).',
  'a2a.default': 'The agent of the card at `/.well-known/agent-card.json`. Default: the only autonomous one.',
  'a2a.url':
    'The address of the hub as other agents reach it, for its cards. Default: the address that a caller used. Only read from approved configs.',
  'a2a.provider': 'Who offers the agents, for their cards.',
  '[a2a.provider]': 'Who offers the agents, for their cards.',
  'a2a.provider.name': 'The name of the organisation.',
  'a2a.provider.url': 'Its website.',
  'a2a.push_hosts':
    'Hosts on a private network that push notifications may be sent to, with a port unless it is the default one. Only read from approved configs.',
  'a2a.context_hours': 'Hours without a message after which a conversation ends. Default 24.',

  '[providers.*]':
    'A model API. `anthropic`, `openai`, `google`, `openrouter` and `ollama` are built in and need at most a key; any other name is an OpenAI-compatible endpoint.',
  'providers.*.kind': 'The built-in provider whose API it uses, if the name is not that of the provider.',
  'providers.*.base_url': 'Its URL.',
  'providers.*.api_key': "Its key; default: the provider's usual environment variable.",
  'providers.*.headers': 'Headers for every request.',
  '[providers.*.models.*]':
    'Limits and prices of a model that is missing from the public price list. Prices are USD per million tokens.',
  'providers.*.models.*.context_window': 'Context window, in tokens.',
  'providers.*.models.*.input_price': 'Price of input tokens.',
  'providers.*.models.*.cached_price': 'Price of cached input tokens.',
  'providers.*.models.*.output_price': 'Price of output tokens.',
  'providers.*.models.*.images': 'Whether the model accepts images.',

  '[runner]': 'How agents are run.',
  'runner.model': 'The default model, as `provider/model`; a list names fallbacks.',
  'runner.temperature': 'Sampling temperature, if the model supports it.',
  'runner.effort': 'How long the model thinks before it answers, if it supports that: low, medium or high.',
  'runner.keep_days':
    'Days after which runs outside of chats, and conversations over A2A, are removed; default 30. Only read from your own config.',
  'runner.keep_mb':
    'Disk space limit for runs outside of chats, in megabytes; default 500. The oldest are removed first. Only read from your own config.',
  'runner.max_turns': 'Maximum number of model requests per run; default 50. A workspace can only lower it.',
  'runner.max_output_tokens': 'Longest response to one request; default 8192. A workspace can only lower it.',
  'runner.max_seconds': 'Time limit of a run; default 1800. A workspace can only lower it.',
  'runner.runs_per_token':
    'Maximum number of active runs per agent token; default 20. A workspace can only lower it.',
  'runner.inline_limit': 'Seconds after which a call of a published tool returns a job handle. Default: 45.',

  '[team]': 'Teams; see [teams.md](teams.md). Only read from your own config.',
  'team.sandbox': '`off` runs members without a sandbox, with all your rights; default `on`.',
  'team.network':
    '`off`: members in a sandbox reach the hub and the hosts of their models, nothing else; default `on`.',
  'team.slots': 'How many turns run at once; default 4.',
  'team.idle_timeout': 'Seconds of silence after which a turn fails; default 600.',
  'team.turn_timeout': 'Time limit of a turn in seconds; default 3600.',
  'team.reply_timeout':
    'Seconds after which the sender of a sync message is notified that nobody replied; default 600.',
  'team.budget': 'Limits for all members of a team together.',
  '[team.budget]': 'For one team; default: 10,000,000 tokens, 25 USD and 500 turns.',
  'team.budget.tokens': 'Tokens.',
  'team.budget.usd': 'US dollars.',
  'team.budget.turns': 'Turns.',
  '[harness.*]': 'A program that runs team members and speaks ACP. Only read from your own config.',
  'harness.*.command': 'The program and its arguments. Not needed for the harnesses of `zoo harness list`.',
  'harness.*.env': 'Environment variables for it.',
  'harness.*.mode': 'How it is driven: `acp` (default), or the print mode of Claude Code or Cursor.',
  'harness.*.read': 'Files that it may read in the sandbox besides the system, such as credentials.',
  'harness.*.hosts': 'Hosts of its models, for `network = "off"`.',
  'harness.*.slots': 'How many of its turns run at once; default: no separate limit.',

  '[budget]':
    "What runs may spend. A workspace can only lower these limits; the user's own config can raise them.",
  'budget.run': 'For one run.',
  'budget.agent_day': 'For one agent and day, local time.',
  'budget.hub_day': 'For all agents and one day, local time.',
  '[budget.run]': 'For one run; default: 2,000,000 tokens and 5 USD.',
  '[budget.agent_day]': 'For one agent and day; default: 20,000,000 tokens and 25 USD.',
  '[budget.hub_day]': 'For the whole hub and one day; default: 50,000,000 tokens and 50 USD.',
  'budget.run.tokens': 'Input and output tokens.',
  'budget.run.usd': 'US dollars, where the price of the model is known.',
  'budget.agent_day.tokens': 'Input and output tokens.',
  'budget.agent_day.usd': 'US dollars, where the price of the model is known.',
  'budget.hub_day.tokens': 'Input and output tokens.',
  'budget.hub_day.usd': 'US dollars, where the price of the model is known.',

  '[chunking]': 'How documents are cut into passages.',
  'chunking.max_tokens': 'Longest passage; default 700.',
  'chunking.overlap_tokens':
    'Overlap of two passages where a section was cut, at most half of one; default 80.',

  '[retrieval]': 'How searches work.',
  'retrieval.final_limit': 'Number of results.',
  'retrieval.mode': 'Search mode; default: hybrid if there are vectors, otherwise keyword.',
  'retrieval.hybrid_alpha': 'Weight of semantic results in a hybrid search, 0 to 1; default 0.25.',
  'retrieval.candidate_k_keyword': 'Candidates of a keyword search; default 200.',
  'retrieval.candidate_k_vector': 'Candidates of a semantic search; default 200.',
  'retrieval.max_chunks_per_doc':
    'Maximum number of passages per document that are scored and shown; default 3.',
  'retrieval.group_by': 'How results are grouped: `document`, or `chunk` for single passages.',
  'retrieval.doc_agg': "How a document's score is computed from its passages: `max`, `sum` or `mean`.",
  'retrieval.min_relevance': 'Results below this relevance are omitted; default 0.01.',
  'retrieval.context_tokens': "Most tokens of documents in an agent's prompt; default 8000.",

  '[embedding]': 'Turns text into vectors.',
  'embedding.provider': 'The provider.',
  'embedding.model': 'The model.',
  'embedding.dims': 'Dimensions of its vectors.',
  'embedding.url': 'Its URL.',
  'embedding.api_key': 'The key.',
  'embedding.batch_size': 'Texts per request.',
  'embedding.max_retries': 'Retries of a failed request.',
  'embedding.timeout_secs': 'Time limit of a request.',

  '[connectors.filesystem.*]': 'Documents from a folder.',
  'connectors.filesystem.*.root': 'The folder. One outside of the workspace needs trust.',
  'connectors.filesystem.*.follow_symlinks': 'Whether links are followed; needs trust.',
  '[connectors.git.*]': 'Documents from a Git repository.',
  'connectors.git.*.url': 'The repository: a URL, or a local folder.',
  'connectors.git.*.branch': 'The branch.',
  'connectors.git.*.root': 'The folder in it.',
  'connectors.git.*.shallow':
    'Whether to fetch the newest commit only; all files then have its date. Otherwise the history is fetched too, without the contents of old versions.',
  'connectors.git.*.cache_dir': 'Ignored: clones are kept in `ZOO_HOME`.',
  '[connectors.web.*]': 'Documents from web pages.',
  'connectors.web.*.url': 'Start page.',
  'connectors.web.*.sitemap': 'A sitemap to read.',
  'connectors.web.*.llms_txt': 'An `llms.txt` to read.',
  'connectors.web.*.pages': 'Single pages.',
  'connectors.web.*.max_depth': 'How deep links are followed; default: 2 with only a `url`, otherwise 0.',
  'connectors.web.*.max_pages': 'Maximum number of pages; default 500.',
  'connectors.web.*.hosts': 'Hosts that links may lead to.',
  'connectors.web.*.headers': 'Headers to send, only to the hosts of the URLs above.',
  '[connectors.s3.*]': 'Documents from a bucket. Not used yet.',
  'connectors.s3.*.bucket': 'The bucket.',
  'connectors.s3.*.prefix': 'Prefix of the keys to read.',
  'connectors.s3.*.region': 'Its region.',
  'connectors.s3.*.endpoint_url': 'Endpoint, if not AWS.',
  '[connectors.script.*]': 'Documents from a Lua script.',
  '*.include_globs':
    'Only files that match one of these globs; without a slash, at any depth. Names that begin with a dot must be matched explicitly.',
  '*.exclude_globs': 'Skip files that match one of these globs.',

  '[tools]': 'Tools that models can call.',
  'tools.search_above':
    'An agent with more tools than this gets `find_tools` and `call_tool` instead of the list; default 40. 0 means always.',
  'tools.activity_days':
    'How many days tool calls are kept for `zoo activity`; default 30, at most 100,000 calls. 0 records none. Only read from your own config.',
  'tools.groups':
    'Names for sets of tools, for use in the `tools` of agents: tools, globs, other groups, and `!` for exclusions.',
  '[tools.script.*]': 'A tool that is a Lua script.',
  '[tools.a2a.*]': 'A remote A2A agent: each skill on its card is a tool, `NAME.SKILL`. See [A2A](a2a.md).',
  'tools.a2a.*.url': 'Address of the agent, or of its card.',
  'tools.a2a.*.headers': 'Headers to send to it, and to no other address.',
  'tools.a2a.*.disabled': 'Disables it.',
  '[tools.mcp.*]':
    'An MCP server whose tools are offered as `NAME.TOOL`, with its prompts and resources. Either `command` or `url`. [How it is run](upstreams.md).',
  'tools.mcp.*.command': 'Program to start.',
  'tools.mcp.*.args': 'Its arguments.',
  'tools.mcp.*.env': 'Its environment, in addition to the basic variables that programs need.',
  'tools.mcp.*.cwd': 'Working directory; default: the folder of the config.',
  'tools.mcp.*.url': 'URL of a remote server.',
  'tools.mcp.*.headers': 'Headers to send to it.',
  'tools.mcp.*.shared':
    'Whether all callers share one process or connection; default true. Otherwise each client gets its own.',
  'tools.mcp.*.idle_seconds': 'Idle time before it is stopped; default 600.',
  'tools.mcp.*.timeout':
    'Time limit of a call without progress, in seconds; default 300. The same limit applies to its start, up to 60.',
  'tools.mcp.*.pin': 'Hold back tools that the server has changed or added, until `zoo tools accept`.',
  'tools.mcp.*.disabled': 'Disables it.',

  '[agents.*]':
    'An agent; NAME is its id. `[agents.inline.NAME]` is the same. Reserved names: `inline`, `script` and `module` here, and `team`, `current`, `new` and `api` everywhere.',
  'agents.*.name': 'Display name; default: the id.',
  'agents.*.description': 'One line for lists.',
  'agents.*.version': "The author's version; default `1.0.0`.",
  'agents.*.mode': 'How it is meant to be used; default `interactive`.',
  'agents.*.system_prompt':
    'The persona. `{{name}}` is replaced for declared arguments and otherwise left as it is.',
  'agents.*.tools':
    'The scope: names of tools or groups, globs with `*`, exclusions with `!`. Default: the read-only built-in tools; `[]` means none.',
  'agents.*.sources': 'The knowledge sources that it can use (`TYPE:NAME`, a name, or a type); default: all.',
  'agents.*.context_refs':
    'Documents that are part of every prompt: paths, globs, URLs or ids. Text files of the workspace need not be in a source.',
  'agents.*.context_tokens': 'Token limit for documents in its prompt; default: `retrieval.context_tokens`.',
  'agents.*.model': 'Preferred model.',
  'agents.*.tool_approvals': 'Rules for single tools: `allow`, `ask` or `deny`, by name.',
  'agents.*.tool_permission':
    'When a tool call needs approval: `always`, `never`, or `tool` (the tool decides). A run without a person cannot call tools that need approval.',
  'agents.*.appearance_seed': 'Seed of its generated picture.',
  'agents.*.metadata': 'Any data of the author; not interpreted.',
  'agents.*.arguments': 'The arguments it takes.',
  'agents.*.context': 'Queries whose best passages go into the prompt.',
  'agents.*.skill_categories': 'Groups of skills.',
  'agents.*.a2a_skills': 'Skills on its A2A card, instead of the names of its own skills.',
  'agents.*.skills': 'Parts of the prompt that can be enabled and disabled.',
  'agents.*.published_tools': 'Tools that it offers to others.',
  '[agents.*.arguments]': 'A value that the caller passes.',
  'agents.*.arguments.name': 'The name in `{{name}}`.',
  'agents.*.arguments.description': 'What it is for.',
  'agents.*.arguments.required': 'Whether resolving fails without it; default false.',
  'agents.*.arguments.default': 'Value if the caller passes none.',
  '[agents.*.context]': 'Knowledge without a script: the best passages for a query go into the prompt.',
  'agents.*.context.query': 'The query; `{{name}}` is replaced.',
  'agents.*.context.mode': 'Search mode.',
  'agents.*.context.limit': 'Most documents.',
  'agents.*.context.source': 'Only from this source.',
  '[agents.*.skill_categories]': 'A group of skills.',
  'agents.*.skill_categories.id': 'Default: made from the name.',
  'agents.*.skill_categories.name': 'Display name.',
  'agents.*.skill_categories.description': 'What belongs in it.',
  'agents.*.skill_categories.color': 'Its colour in the web app.',
  '[agents.*.a2a_skills]': 'A skill on the A2A card of the agent.',
  'agents.*.a2a_skills.id': 'Letters, digits, `-` and `_`.',
  'agents.*.a2a_skills.name': 'Its name on the card.',
  'agents.*.a2a_skills.description': 'What it does.',
  'agents.*.a2a_skills.tags': 'Words to find it by.',
  'agents.*.a2a_skills.examples': 'Example messages.',
  '[agents.*.skills]': 'A piece of the prompt.',
  'agents.*.skills.id': 'Default: made from the name.',
  'agents.*.skills.name': 'Its heading in the prompt.',
  'agents.*.skills.description': 'Its text in the prompt.',
  'agents.*.skills.enabled': 'Default true.',
  'agents.*.skills.category': 'The id or name of a category; created if it does not exist.',
  'agents.*.skills.requires': 'Ids of skills that it builds on: enabling it enables them.',
  '[agents.*.published_tools]': 'A tool that others can call; [publishing.md](publishing.md) has examples.',
  'agents.*.published_tools.id': 'Default: made from the name.',
  'agents.*.published_tools.name': 'Name of the tool.',
  'agents.*.published_tools.description': 'Description for models.',
  'agents.*.published_tools.parameters': 'Its parameters; an object.',
  'agents.*.published_tools.prompt': 'The prompt of a call, with `{parameter}` for values.',
  'agents.*.published_tools.output': 'Schema of the structured result; an object.',
  'agents.*.published_tools.annotations': 'Hints for clients.',
  'agents.*.published_tools.cache':
    'Seconds during which an identical call returns the cached result. Default: off.',
  'agents.*.published_tools.context':
    'With `shared`, a call with the `contextId` of an earlier result continues it. Default: `isolated`.',
  'agents.*.published_tools.version': 'Version of the tool.',
  'agents.*.published_tools.requires':
    'Tools in its scope, and knowledge sources, that must be available for it to be offered.',
  '[agents.*.published_tools.annotations]': 'Hints for clients, as in MCP.',
  'agents.*.published_tools.annotations.readOnlyHint': 'It changes nothing. Default: false.',
  'agents.*.published_tools.annotations.destructiveHint': 'It may delete or overwrite. Default: true.',
  'agents.*.published_tools.annotations.idempotentHint':
    'Calling it twice has the effect of calling it once. Default: false.',
  'agents.*.published_tools.annotations.openWorldHint': 'It reaches beyond this machine. Default: true.',

  '[agents.script.*]': 'An agent that is a Lua script.',
  '[agents.module.*]': 'An agent that is a TypeScript or JavaScript module.',
  'agents.script.*.sources':
    'The knowledge sources that it can use (`TYPE:NAME`, a name, or a type); overrides what the script says.',
  'agents.module.*.sources':
    'The knowledge sources that it can use (`TYPE:NAME`, a name, or a type); overrides what the script says.',
  '*.path': 'The file, relative to the folder of the config.',
  '*.timeout': 'Time limit of a call in seconds; default 30, for connectors 600.',
  '*.memory_mb': 'Memory limit in MiB; default 64, for modules 512.',
  '*.allow_hosts':
    'Hosts that a script may connect to, in addition to those of URLs in its own keys. Does not apply to modules.',
  '*.allow_env': 'Environment variables that a script may read. Does not apply to modules.',
};
