import type { Declare, Start } from '../../command-declaration.ts';
import { collect } from '../../input/option-values.ts';
import type { PublishTestOptions } from './publish-test.ts';

export function addPublishCommands(declare: Declare, start: Start): void {
  declare('publish', "serve an agent's published tools over stdio, or test one of them", (publish) => {
    publish
      .command('serve <agent>', { isDefault: true })
      .description(
        'serve an agent in tools mode as an MCP server; AGENT is an id or a TOML, Markdown or JSON file',
      )
      .option('--as <id>', 'the id for an agent from a file')
      .action(async (agent: string, options: { as?: string }) => {
        await (await import('./publish.ts')).publishAgent(start(['json', 'config']), agent, options);
      });
    publish
      .command('test <agent> <tool>')
      .description('show the prompt of a call, then run it')
      .option(
        '--param <name=value>',
        'a parameter of the tool; JSON unless it is a string (repeatable)',
        collect,
      )
      .option('--dry', 'only show the prompt')
      .action(async (agent: string, tool: string, options: PublishTestOptions) => {
        await (await import('./publish-test.ts')).testPublishedTool(start(), agent, tool, options);
      });
  });
}
