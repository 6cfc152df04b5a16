/**
 * What every section and key of the config means. A section is in brackets, `*` stands for a name, and `*.key` is
 * for the keys of that name that have no words of their own.
 * @type {Record<string, string>}
 */
export const words = {
  '[server]': 'Where the hub listens.',
  'server.bind': 'Address and port. `--host` and `--port` win over it; the default is `127.0.0.1:7331`.',
  'server.allowed_hosts': 'Host names besides loopback that requests may use; with a port, only that port.',

  '[db]': 'The store.',
  'db.path': 'Ignored, with a note: everything the hub writes is under `ZOO_HOME`.',
  'db.url': 'A Postgres database, for several hubs on one store. Not used yet.',

  '[markdown]': 'Agents in Markdown files.',
  'markdown.folders':
    'Where they are. Without it: `.claude/agents`, and `agents` too where there is a config. One outside of the workspace needs trust.',

  '[mcp]': 'The MCP surface.',
  'mcp.editing': 'False hides the tools that change agents.',

  '[providers.*]':
    'A model API. `anthropic`, `openai`, `google`, `openrouter` and `ollama` are known by name and need a key or nothing; any other name is an OpenAI-compatible endpoint.',
  'providers.*.kind': 'The known provider whose API it speaks, where its name is another.',
  'providers.*.base_url': 'Its address.',
  'providers.*.api_key': 'Its key; without it, the usual environment variable counts.',
  'providers.*.headers': 'Headers for every request.',
  '[providers.*.models.*]':
    'Facts about a model that public data does not have. Prices are USD per million tokens.',
  'providers.*.models.*.context_window': 'How many tokens it can read.',
  'providers.*.models.*.input_price': 'Price of input tokens.',
  'providers.*.models.*.cached_price': 'Price of input tokens that come from a cache.',
  'providers.*.models.*.output_price': 'Price of output tokens.',
  'providers.*.models.*.images': 'False for a model that cannot see images.',

  '[runner]': 'How agents are run.',
  'runner.model': 'The default model, as `provider/model`; a list names fallbacks.',
  'runner.max_turns': 'How many model requests a run may make; 50 unless it says otherwise.',
  'runner.max_output_tokens': 'The longest answer of one request; 8192 unless it says otherwise.',
  'runner.max_seconds': 'How long a run may take; 1800 unless it says otherwise.',

  '[budget]':
    "What runs may spend. A workspace can only lower these limits; the user's own config can raise them.",
  'budget.run': 'For one run.',
  'budget.agent_day': 'For one agent and day, local time.',
  'budget.hub_day': 'For all agents and one day, local time.',
  '[budget.run]': 'For one run; 2,000,000 tokens and 5 USD unless it says otherwise.',
  '[budget.agent_day]': 'For one agent and day; 20,000,000 tokens and 25 USD unless it says otherwise.',
  '[budget.hub_day]': 'For the whole hub and one day; 50,000,000 tokens and 50 USD unless it says otherwise.',
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

  '[retrieval]': 'How passages are found.',
  'retrieval.final_limit': 'How many results a search returns.',
  'retrieval.mode':
    'Default mode of a search. Without it, hybrid where there are vectors, otherwise keyword.',
  'retrieval.hybrid_alpha':
    'The share of meaning against words in a hybrid search, 0 to 1. Without it, 0.25.',
  'retrieval.candidate_k_keyword': 'How many passages the search by words considers; 200 without it.',
  'retrieval.candidate_k_vector': 'How many passages the search by meaning considers; 200 without it.',
  'retrieval.max_chunks_per_doc': 'How many passages of one document count and are shown; 3 without it.',
  'retrieval.group_by': 'What results are grouped by: `document`, or `chunk` for every passage alone.',
  'retrieval.doc_agg': "How a document's score follows from its passages: `max`, `sum` or `mean`.",
  'retrieval.min_relevance': 'Results below this are left out; without it, 0.01.',
  'retrieval.context_tokens':
    'How many tokens the documents of an agent may take in its prompt; 8000 unless it says.',

  '[embedding]': 'Turns text into vectors.',
  'embedding.provider': 'The provider.',
  'embedding.model': 'The model.',
  'embedding.dims': 'Dimensions of its vectors.',
  'embedding.url': 'Its address.',
  'embedding.api_key': 'The key.',
  'embedding.batch_size': 'Texts per request.',
  'embedding.max_retries': 'Retries of a failed request.',
  'embedding.timeout_secs': 'Time limit of a request.',

  '[connectors.filesystem.*]': 'Documents from a folder.',
  'connectors.filesystem.*.root': 'The folder. One outside of the workspace needs trust.',
  'connectors.filesystem.*.follow_symlinks': 'Whether links are followed; needs trust.',
  '[connectors.git.*]': 'Documents from a Git repository.',
  'connectors.git.*.url': 'The repository: an address, or a folder on this machine.',
  'connectors.git.*.branch': 'The branch.',
  'connectors.git.*.root': 'The folder in it.',
  'connectors.git.*.shallow':
    'Whether to fetch the newest commit only; all files then have its date. Otherwise the history is fetched too, without the contents of old versions.',
  'connectors.git.*.cache_dir': 'Ignored: clones are kept in `ZOO_HOME`.',
  '[connectors.web.*]': 'Documents from web pages.',
  'connectors.web.*.url': 'Where to start.',
  'connectors.web.*.sitemap': 'A sitemap to read.',
  'connectors.web.*.llms_txt': 'An `llms.txt` to read.',
  'connectors.web.*.pages': 'Single pages.',
  'connectors.web.*.max_depth': 'How many links deep: 2 from a `url` alone, otherwise none.',
  'connectors.web.*.max_pages': 'How many pages; default 500.',
  'connectors.web.*.hosts': 'Hosts that links may lead to.',
  'connectors.web.*.headers': 'Headers to send, only to the hosts of the addresses above.',
  '[connectors.s3.*]': 'Documents from a bucket. Not used yet.',
  'connectors.s3.*.bucket': 'The bucket.',
  'connectors.s3.*.prefix': 'Prefix of the keys to read.',
  'connectors.s3.*.region': 'Its region.',
  'connectors.s3.*.endpoint_url': 'Endpoint, if not AWS.',
  '[connectors.script.*]': 'Documents from a Lua script.',
  '*.include_globs':
    'Only files that match one of these; without a slash, at any depth. Names that begin with a dot count only if one of these names them.',
  '*.exclude_globs': 'No files that match one of these.',

  '[tools]': 'Tools that models can call.',
  'tools.search_above':
    'An agent with more tools than this is served `find_tools` and `call_tool` instead of the list (40). 0 is always.',
  'tools.activity_days':
    'How many days calls of tools are kept for `zoo activity` (30), and never more than 100,000 calls. 0 records none. Counts in the config that the hub was started with, and in your own.',
  'tools.groups':
    'Names for several tools at once, for the `tools` of agents: tools, globs, other groups, and `!` for what is not in it.',
  '[tools.script.*]': 'A tool that is a Lua script.',
  '[tools.mcp.*]':
    'An MCP server whose tools are offered as `NAME.TOOL`, with its prompts and resources. Either `command` or `url`. [How it is run](upstreams.md).',
  'tools.mcp.*.command': 'Program to start.',
  'tools.mcp.*.args': 'Its arguments.',
  'tools.mcp.*.env': 'Its environment, besides what programs need to run at all.',
  'tools.mcp.*.cwd': 'Working folder; default: the folder of the config.',
  'tools.mcp.*.url': 'Address of a remote server.',
  'tools.mcp.*.headers': 'Headers to send to it.',
  'tools.mcp.*.shared': 'Whether all callers share one; true if absent. Otherwise each client has its own.',
  'tools.mcp.*.idle_seconds': 'Idle time before it is stopped; default 600.',
  'tools.mcp.*.timeout':
    'Time limit of a call without progress, in seconds; default 300. The same limit applies to its start, up to 60.',
  'tools.mcp.*.pin': 'Hold back tools that the server has changed or added, until `zoo tools accept`.',
  'tools.mcp.*.disabled': 'Disables it.',

  '[agents.*]':
    'An agent; NAME is its id. `[agents.inline.NAME]` is the same. `inline`, `script` and `module` are no names for agents here, and `team`, `current`, `new` and `api` are none anywhere.',
  'agents.*.name': 'Display name; default: the id.',
  'agents.*.description': 'One line for lists.',
  'agents.*.version': "Its author's version; `1.0.0` if absent.",
  'agents.*.mode': 'How it is meant to be used; `interactive` if absent.',
  'agents.*.system_prompt':
    'The persona. `{{name}}` is replaced for declared arguments; anything else stays.',
  'agents.*.tools':
    'The scope: names of tools or groups, `*` for any part of a name, `!` before what is taken away. Absent is the read-only built-ins, `[]` is none.',
  'agents.*.sources':
    'The sources it is bound to (`TYPE:NAME`, a name, or a type): it sees no others. Without it, all of them.',
  'agents.*.context_refs':
    'Documents that always go into the prompt: paths, globs, URLs or ids. A text file of the workspace need not be in a source.',
  'agents.*.context_tokens': 'How many tokens its documents may take; otherwise `retrieval.context_tokens`.',
  'agents.*.model': 'Preferred model.',
  'agents.*.tool_approvals': 'Rules for single tools: `allow`, `ask` or `deny`, by name.',
  'agents.*.tool_permission':
    'Which tools a run without a person may call: `always` asks for all, so none; `never` asks for none; `tool` leaves it to the tool.',
  'agents.*.appearance_seed': 'What its picture is made from.',
  'agents.*.metadata': "The author's own facts; kept as they are.",
  'agents.*.arguments': 'What it asks for when it is resolved.',
  'agents.*.context': 'Queries whose best passages go into the prompt.',
  'agents.*.skill_categories': 'What skills are grouped by.',
  'agents.*.skills': 'Parts of the prompt that can be switched on and off.',
  'agents.*.published_tools': 'Tools that it offers to others.',
  '[agents.*.arguments]': 'A value that the caller gives.',
  'agents.*.arguments.name': 'As it stands between the braces.',
  'agents.*.arguments.description': 'What it is for.',
  'agents.*.arguments.required': 'Resolving without it is an error. False if absent.',
  'agents.*.arguments.default': 'What it is if the caller says nothing.',
  '[agents.*.context]': 'Knowledge without a script: the best passages for a query go into the prompt.',
  'agents.*.context.query': 'What to look for; `{{name}}` is replaced.',
  'agents.*.context.mode': 'By words, by meaning, or both.',
  'agents.*.context.limit': 'How many documents.',
  'agents.*.context.source': 'Only from this source.',
  '[agents.*.skill_categories]': 'A group of skills.',
  'agents.*.skill_categories.id': 'Made from the name if absent.',
  'agents.*.skill_categories.name': 'What people call it.',
  'agents.*.skill_categories.description': 'What belongs into it.',
  '[agents.*.skills]': 'A piece of the prompt.',
  'agents.*.skills.id': 'Made from the name if absent.',
  'agents.*.skills.name': 'Its heading in the prompt.',
  'agents.*.skills.description': 'Its text in the prompt.',
  'agents.*.skills.enabled': 'True if absent.',
  'agents.*.skills.category': 'The id or name of a category; one that does not exist is made.',
  '[agents.*.published_tools]': 'A tool that others can call once runs exist.',
  'agents.*.published_tools.id': 'Made from the name if absent.',
  'agents.*.published_tools.name': 'What callers call.',
  'agents.*.published_tools.description': 'What models read to decide whether to call it.',
  'agents.*.published_tools.parameters': 'What it takes; an object.',
  'agents.*.published_tools.prompt': 'The prompt that a call becomes, with `{parameter}` for values.',

  '[agents.script.*]': 'An agent that is a Lua script.',
  '[agents.module.*]': 'An agent that is a TypeScript or JavaScript module.',
  'agents.script.*.sources':
    'The sources it is bound to (`TYPE:NAME`, a name, or a type), whatever it says itself: it sees no others.',
  'agents.module.*.sources':
    'The sources it is bound to (`TYPE:NAME`, a name, or a type), whatever it says itself: it sees no others.',
  '*.path': 'The file, from the folder of the config.',
  '*.timeout': 'How many seconds a call may take (30; a connector 600).',
  '*.memory_mb': 'How much memory it may use (64; a module 512).',
  '*.allow_hosts':
    'The hosts that a script may reach, besides those of the addresses among its own keys. A module may reach all.',
  '*.allow_env': 'The environment variables that a script may read. A module may read all.',
};
