import { AgentCard } from '@a2a-js/sdk';
import { terminalLine } from '../../../../platform/text/terminal-text.ts';
import { reasonOf } from '../../../../platform/text/system-error.ts';
import { needsMore, openRemoteAgent, type RemoteAgent } from '../../../../tools/a2a/remote-agent.ts';
import { type Invocation, print, printLine, say } from '../../invocation.ts';
import { Failure, wrongUsage } from '../../output/failure.ts';
import { wrap } from '../../render/layout.ts';
import { renderTable } from '../../render/table.ts';

interface TokenOption {
  token?: string;
}

export interface A2ACallOptions extends TokenOption {
  context?: string;
  task?: string;
}

export async function showCard(call: Invocation, url: string, options: TokenOption): Promise<void> {
  const { card } = await open(call, url, options);
  print(call, AgentCard.toJSON(card), () => renderCard(card, call));
}

function renderCard(card: AgentCard, call: Invocation): string {
  const { name, version, description, skills, supportedInterfaces } = card;
  return [
    `${call.paint('bold', terminalLine(name))} ${terminalLine(version)}`,
    ...(description === '' ? [] : [wrap(description, call.columns)]),
    '',
    ...renderTable(
      skills.map(({ name: skill, description: about, tags }) => [
        skill,
        about === skill ? '' : about,
        tags.join(', '),
      ]),
      call,
      { gap: 2, columns: [{ keep: true, min: 16 }, { min: 16 }, { min: 8, optional: true }] },
    ),
    '',
    ...renderTable(
      supportedInterfaces.map(({ protocolBinding, protocolVersion, url }) => [
        `${protocolBinding} ${protocolVersion}`,
        url,
      ]),
      call,
      { gap: 2 },
    ),
  ].join('\n');
}

/** Prints the answer as it comes. Ctrl-C cancels the task. */
export async function callAgent(
  call: Invocation,
  url: string,
  message: string,
  options: A2ACallOptions,
): Promise<void> {
  const agent = await open(call, url, options);
  const seen = { taskId: '', contextId: options.context ?? '', text: '', state: '', message: '' };
  const cancel = (): void => void agent.cancel(seen.taskId).catch(() => undefined);
  process.on('SIGINT', cancel);
  try {
    for await (const event of agent.send(message, { contextId: options.context, taskId: options.task })) {
      if (call.json) printLine(call, event, () => '');
      if (event.type === 'task') Object.assign(seen, { taskId: event.taskId, contextId: event.contextId });
      if (event.type === 'state') Object.assign(seen, { state: event.state, message: event.message });
      if (event.type !== 'text') continue;
      const startsOver = event.replaces && seen.text !== '' && !seen.text.endsWith('\n');
      if (!call.json) call.terminal.out.write(`${startsOver ? '\n' : ''}${event.text}`);
      seen.text = event.replaces ? event.text : seen.text + event.text;
    }
  } catch (error) {
    const reason = reasonOf(error);
    const hints = /\b401\b|unauthori[sz]ed|bearer|\btoken is\b/i.test(reason)
      ? ['`--token TOKEN`, or A2A_TOKEN, sends its token']
      : [];
    throw new Failure(`the agent could not be called: ${reason}`, { hints });
  } finally {
    process.off('SIGINT', cancel);
  }
  if (!call.json && seen.text !== '' && !seen.text.endsWith('\n')) call.terminal.out.write('\n');
  if (needsMore(seen.state)) say(call, `Answer with --task ${seen.taskId}`);
  else if (seen.contextId !== '') say(call, `Continue with --context ${seen.contextId}`);
  if (seen.state === 'completed') return;
  throw new Failure(
    `the task is ${seen.state || 'unfinished'}${seen.message === '' ? '' : `: ${seen.message}`}`,
  );
}

async function open(
  { env }: Invocation,
  url: string,
  { token = env['A2A_TOKEN'] }: TokenOption,
): Promise<RemoteAgent> {
  if (!URL.canParse(url)) throw wrongUsage(`'${url}' is not a URL`);
  try {
    return await openRemoteAgent(url, token === undefined ? {} : { authorization: `Bearer ${token}` });
  } catch (error) {
    throw new Failure(`no agent card at ${url}: ${reasonOf(error)}`, {
      hints: ['URL is the address of an agent, such as https://example.com/a2a/planner'],
    });
  }
}
