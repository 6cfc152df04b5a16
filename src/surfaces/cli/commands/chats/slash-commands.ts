import type { ZooClient } from '../../../../contract/api.ts';
import type { Chat } from '../../../../contract/chat.ts';
import { nearest } from '../../../../contract/nearest.ts';
import { errorView, type Invocation, say } from '../../invocation.ts';
import { plural, renderFacts } from '../../render/layout.ts';
import { withFiles } from '../runs/attach-files.ts';

/** The chat at the terminal. Commands may replace it by another one. */
export interface OpenChat {
  call: Invocation;
  client: ZooClient;
  id: string;
  agent: string;
  /** To be attached to the next message. */
  files: string[];
  /** A new chat with the same arguments and models. */
  create(agent: string): Promise<string>;
}

/** What follows a command: the next prompt, a turn, or the end of the conversation. */
export type Next = { runId: string } | 'prompt' | 'end';

interface SlashCommand {
  /** Its argument, for the help. */
  takes?: string;
  help: string;
  run(chat: OpenChat, argument: string): Promise<Next>;
}

const COMMANDS: Readonly<Record<string, SlashCommand>> = {
  help: { help: 'list these commands', run: showHelp },
  retry: {
    help: 'ask for another answer to your last message',
    run: ({ client, id }) => client.call('retryMessage', { id }),
  },
  file: { takes: 'PATH', help: 'attach a file to your next message', run: attachFile },
  model: {
    takes: '[PROVIDER/MODEL]',
    help: "show or change the model; 'default' for the agent's own",
    run: model,
  },
  agent: { takes: '[AGENT]', help: 'show the agent, or talk to another one', run: changeAgent },
  cost: { help: 'show turns, tokens and cost of this chat', run: showCost },
  new: { help: 'start a new chat with the same agent', run: (chat) => startNew(chat, chat.agent) },
  exit: { help: 'end the chat (also /quit or Ctrl-C); it is kept', run: async () => 'end' },
};
const ALIASES: Readonly<Record<string, string>> = { quit: 'exit', '?': 'help' };

/** The command of a line and its argument; null for a message. A path such as /etc/hosts is not a command. */
export function parseSlash(line: string): { name: string; argument: string } | null {
  const found = /^\/([\w-]+|\?)(?:\s+(.*))?$/s.exec(line);
  return found?.[1] === undefined ? null : { name: found[1].toLowerCase(), argument: found[2]?.trim() ?? '' };
}

/** Two slashes send a message that begins with one. */
export const messageOf = (line: string): string => (line.startsWith('//') ? line.slice(1) : line);

export async function runSlash(
  chat: OpenChat,
  { name, argument }: NonNullable<ReturnType<typeof parseSlash>>,
): Promise<Next> {
  const command = COMMANDS[ALIASES[name] ?? name];
  if (command) return command.run(chat, argument);
  const meant = nearest(name, [...Object.keys(COMMANDS), ...Object.keys(ALIASES)]);
  const hint = meant === null ? '' : ` Did you mean /${meant}?`;
  say(
    chat.call,
    `Unknown command /${name}.${hint} /help lists the commands; //${name} sends it as a message.`,
  );
  return 'prompt';
}

async function showHelp({ call }: OpenChat): Promise<Next> {
  const rows = Object.entries(COMMANDS).map(
    ([name, { takes, help }]) => [`/${name}${takes ? ` ${takes}` : ''}`, help] as const,
  );
  say(call, renderFacts(rows, errorView(call)));
  return 'prompt';
}

async function attachFile({ call, files }: OpenChat, path: string): Promise<Next> {
  if (path === '') return prompt(call, 'Which file? /file PATH');
  await withFiles('', [path]);
  files.push(path);
  return prompt(call, `${path} will be attached to your next message.`);
}

async function model({ call, client, id }: OpenChat, wanted: string): Promise<Next> {
  if (wanted === '') return prompt(call, `Model: ${modelOf(await client.call('getChat', { id }))}.`);
  const body = { model: wanted === 'default' ? null : wanted };
  return prompt(call, `Model: ${modelOf(await client.call('patchChat', { id, body }), true)}.`);
}

function modelOf({ models, history }: Chat, isNew = false): string {
  if (models) return models.join(', then ');
  const last = isNew ? undefined : history.at(-1)?.model;
  return last ? `${last} (the agent's own)` : "the agent's own";
}

async function changeAgent(chat: OpenChat, wanted: string): Promise<Next> {
  const { call, client, agent, id } = chat;
  if (wanted === '') {
    const { name, description } = await client.call('getAgent', { id: agent });
    return prompt(call, [`${agent}: ${name}`, description].filter(Boolean).join('. '));
  }
  const { turns } = await client.call('getChat', { id });
  if (turns > 0) return startNew(chat, wanted);
  await client.call('patchChat', { id, body: { agent: wanted } });
  chat.agent = wanted;
  return prompt(call, `You are talking to ${wanted}.`);
}

async function startNew(chat: OpenChat, agent: string): Promise<Next> {
  const left = chat.id.slice(0, 8);
  chat.id = await chat.create(agent);
  const before = chat.agent;
  chat.agent = agent;
  return prompt(
    chat.call,
    `New chat ${chat.id.slice(0, 8)} with ${agent}. zoo chat ${before} --resume ${left} continues the last one.`,
  );
}

async function showCost({ call, client, id }: OpenChat): Promise<Next> {
  const { turns, toolCalls, usage } = await client.call('getChatStats', { id });
  const price = usage.usd === null ? 'unknown price' : `$${usage.usd.toFixed(4)}`;
  const tokens = `${usage.inputTokens} tokens in (${usage.cachedTokens} cached), ${usage.outputTokens} out`;
  return prompt(call, `${plural(turns, 'turn')}, ${plural(toolCalls, 'tool call')}, ${tokens}, ${price}.`);
}

function prompt(call: Invocation, text: string): Next {
  say(call, text);
  return 'prompt';
}
