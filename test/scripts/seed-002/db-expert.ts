import { defineAgent } from 'agent-zoo/agent';

export default defineAgent({
  name: 'db-expert',
  description: 'Answers database design and query optimization questions',
  tools: ['search', 'get', 'run_query'],
  arguments: [{ name: 'database', description: 'Target database name', required: false }],

  async resolve(args, ctx) {
    const db = args.database ?? 'main';

    // Pre-fetch schema documentation
    const schemas = await ctx.search('database schema', {
      mode: 'keyword',
      limit: 5,
      source: `schemas:${db}`,
    });
    const context = schemas.map((hit) => `- ${hit.title} (score: ${hit.score.toFixed(2)})`).join('\n');

    return {
      system:
        `You are a database expert for the '${db}' database.\n` +
        `Relevant schema docs:\n${context}\n\n` +
        'Use search to find more context. Use run_query to execute queries.',
      messages: [],
    };
  },
});
