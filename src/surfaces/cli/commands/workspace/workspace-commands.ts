import type { TrustOptions } from './trust.ts';
import type { Declare, Start } from '../../command-declaration.ts';

export function addWorkspaceCommands(declare: Declare, start: Start): void {
  declare('current [id]', 'show or set the current agent of the workspace', (command) => {
    command
      .option('--clear', 'clear it')
      .action(async (id: string | undefined, options: { clear?: true }) => {
        await (await import('./current.ts')).currentAgent(start(), id, options);
      });
  });
  declare('trust', 'show what the workspace would run and approve it', (command) => {
    command
      .option('--yes', 'approve without asking')
      .option('--revoke', 'revoke the approval')
      .option('--list', 'list known workspaces')
      .action(async (options: TrustOptions) => {
        await (await import('./trust.ts')).trustWorkspace(start(), options);
      });
  });
  declare('secret', 'values for ${VAR} in configs, stored under ZOO_HOME', (secret) => {
    secret
      .command('set <name>')
      .description('store a value from standard input or the terminal')
      .action(async (name: string) => {
        await (await import('./secret.ts')).setSecret(start(), name);
      });
    secret
      .command('list')
      .alias('ls')
      .description('list the names of stored values')
      .action(async () => {
        await (await import('./secret.ts')).listSecrets(start());
      });
    secret
      .command('rm <name>')
      .description('remove a stored value')
      .action(async (name: string) => {
        await (await import('./secret.ts')).removeSecret(start(), name);
      });
  });
  declare('config', 'check the config', (config) => {
    config
      .command('check')
      .description("check the workspace's config files")
      .action(async () => {
        await (await import('./config-check.ts')).checkConfig(start());
      });
  });
  declare('template', 'templates for new agents', (template) => {
    template
      .command('list')
      .alias('ls')
      .description('list the templates')
      .action(async () => {
        await (await import('../agent/template-list.ts')).listTemplates(start());
      });
  });
}
