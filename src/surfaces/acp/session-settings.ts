import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { CallContext } from '../../contract/call.ts';
import type { ChatSummary } from '../../contract/chat.ts';
import type { Hub } from '../../hub/hub.ts';
import { invalidParams } from './errors.ts';

const ASK = { id: 'ask', name: 'Ask', description: 'Asks before it calls tools that change something.' };
const READ_ONLY = {
  id: 'read-only',
  name: 'Read-only',
  description: 'Only calls tools that need no approval.',
};
/** The models that the agent names, or the default of the config. */
const OWN_MODEL = 'default';

export interface SessionSettings {
  modes: SessionModeState;
  configOptions: SessionConfigOption[];
}

/** The fields of a session's chat that its settings depend on. */
export type SessionChat = Pick<ChatSummary, 'id' | 'agentId' | 'headless' | 'models' | 'turns'>;

/** The settings that the editor offers. With `anyAgent`, the agent can be chosen until the first message. */
export async function sessionSettings(
  { operations }: Pick<Hub, 'operations'>,
  chat: SessionChat,
  context: CallContext,
  anyAgent: boolean,
): Promise<SessionSettings> {
  const mayAsk = context.caller.kind === 'operator';
  const modes = mayAsk ? [ASK, READ_ONLY] : [READ_ONLY];
  const currentModeId = chat.headless ? READ_ONLY.id : ASK.id;
  const [{ providers }, agents] = await Promise.all([
    operations.listProviders({}, context),
    anyAgent && chat.turns === 0 ? operations.listAgents({}, context) : null,
  ]);
  const model = chat.models?.[0] ?? OWN_MODEL;
  const models = providers.flatMap(({ name, defaultModel, missing }) =>
    defaultModel === null || missing !== null ? [] : [`${name}/${defaultModel}`],
  );
  const listed = [...new Set([...models, ...(chat.models ?? [])])];
  return {
    modes: { currentModeId, availableModes: modes },
    configOptions: [
      {
        type: 'select',
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        currentValue: currentModeId,
        options: modes.map(({ id, ...rest }) => ({ value: id, ...rest })),
      },
      {
        type: 'select',
        id: 'model',
        name: 'Model',
        category: 'model',
        currentValue: model,
        options: [
          { value: OWN_MODEL, name: "The agent's model" },
          ...listed.map((value) => ({ value, name: value })),
        ],
      },
      ...(agents === null
        ? []
        : [
            {
              type: 'select' as const,
              id: 'agent',
              name: 'Agent',
              category: '_agent',
              currentValue: chat.agentId,
              options: agents.agents.map(({ id, name, description }) => ({ value: id, name, description })),
            },
          ]),
    ],
  };
}

/** Changes a setting to one of its offered values. */
export async function changeSetting(
  { operations }: Pick<Hub, 'operations'>,
  chat: SessionChat,
  { id, value, offered }: { id: string; value: unknown; offered: readonly SessionConfigOption[] },
  context: CallContext,
): Promise<void> {
  const option = offered.find((each) => each.id === id);
  if (!option) throw invalidParams(`Unknown option '${id}'.`);
  const values =
    option.type === 'select' ? option.options.flatMap((each) => ('value' in each ? each.value : [])) : [];
  const chosen = values.find((each) => each === value);
  if (chosen === undefined) throw invalidParams(`Option '${id}' has no value ${JSON.stringify(value)}.`);
  const body =
    id === 'mode'
      ? { headless: chosen === READ_ONLY.id }
      : id === 'agent'
        ? { agent: chosen }
        : { model: chosen === OWN_MODEL ? null : chosen };
  await operations.patchChat({ id: chat.id, body }, context);
}
