import type { Command } from 'commander';
import type { Declare, Start } from '../../command-declaration.ts';
import type { StartTeamOptions } from './start-team.ts';
import type { LogOptions } from './team-mail.ts';

export function addTeamCommands(declare: Declare, start: Start): void {
  declare('team', 'teams of command-line agents that work together', (team) => {
    team
      .command('start [file]')
      .description('start a team from a TOML file, or one member with --harness and --task')
      .option('--name <name>', 'name of the team')
      .option('--harness <harness>', 'what runs the root; see zoo harness list')
      .option('--agent <id>', 'agent definition that the root follows')
      .option('--task <text>', 'task of the root')
      .action(async (file: string | undefined, options: StartTeamOptions) => {
        await (await import('./start-team.ts')).startTeam(start(), file, options);
      });
    team
      .command('list', { isDefault: true })
      .alias('ls')
      .description('list teams, newest first')
      .action(async () => {
        await (await import('./teams.ts')).listTeams(start());
      });
    team
      .command('show <team>')
      .description('show the members of a team as a tree')
      .action(async (name: string) => {
        await (await import('./teams.ts')).showTeam(start(), name);
      });
    team
      .command('send <team> <member> <text...>')
      .description('send a message to a member')
      .option('--reply-to <id>', 'the message that this one answers')
      .action(async (name: string, member: string, text: string[], options: { replyTo?: string }) => {
        await (await import('./team-mail.ts')).sendToMember(start(), name, member, text.join(' '), options);
      });
    team
      .command('inbox <team>')
      .description('read what the team has sent you')
      .action(async (name: string) => {
        await (await import('./team-mail.ts')).readInbox(start(), name);
      });
    team
      .command('inspect <team> <member>')
      .description('show the last turns of a member')
      .action(async (name: string, member: string) => {
        await (await import('./teams.ts')).inspectMember(start(), name, member);
      });
    team
      .command('log <team>')
      .description('print all messages of a team')
      .option('-f, --follow', 'keep printing until the team ends')
      .option('--dead', 'only messages that were not delivered')
      .option('--turns', 'also the answers of members and their ends: the whole transcript')
      .action(async (name: string, options: LogOptions) => {
        await (await import('./team-mail.ts')).printLog(start(), name, options);
      });
    addWorkCommands(team, start);
    team
      .command('redeliver <team> <message>')
      .description('deliver a dead letter again')
      .action(async (name: string, message: string) => {
        await (await import('./team-mail.ts')).redeliver(start(), name, message);
      });
    team
      .command('pause <team>')
      .description('start no new turns')
      .action(async (name: string) => {
        await (await import('./teams.ts')).changeTeam(start(), name, 'pauseTeam');
      });
    team
      .command('resume <team>')
      .description('continue a paused team')
      .action(async (name: string) => {
        await (await import('./teams.ts')).changeTeam(start(), name, 'resumeTeam');
      });
    team
      .command('stop <team> [member]')
      .description('stop a team, or a member and everything below it')
      .action(async (name: string, member: string | undefined) => {
        await (await import('./teams.ts')).stopTeam(start(), name, member);
      });
  });
  declare('harness', 'programs that run team members', (harness) => {
    harness
      .command('list', { isDefault: true })
      .alias('ls')
      .description('list harnesses, their versions, and what is missing')
      .action(async () => {
        await (await import('./harnesses.ts')).listHarnesses(start());
      });
  });
}

/** Watching a team, and merging or discarding its members' work. */
function addWorkCommands(team: Command, start: Start): void {
  team
    .command('attach <team> [member]')
    .description('watch a team, and send what you type to a member')
    .action(async (name: string, member: string | undefined) => {
      await (await import('./attach-team.ts')).attachToTeam(start(), name, member);
    });
  team
    .command('diff <team> <member>')
    .description('show what a member has changed in its git repository')
    .action(async (name: string, member: string) => {
      await (await import('./member-work.ts')).showDiff(start(), name, member);
    });
  team
    .command('merge <team> <member>')
    .description("merge the branch of a member's worktree")
    .action(async (name: string, member: string) => {
      await (await import('./member-work.ts')).settleWork(start(), name, member, 'mergeMember');
    });
  team
    .command('discard <team> <member>')
    .description('remove the worktree and the branch of a member')
    .action(async (name: string, member: string) => {
      await (await import('./member-work.ts')).settleWork(start(), name, member, 'discardMember');
    });
}
