import { expect, it } from 'vitest';
import { createSecretMask } from '../../platform/text/secret-mask.ts';
import { isEdited, maskOutputs } from './mask-outputs.ts';

const operations = maskOutputs(
  { getAgent: async (_: unknown, __: unknown) => ({ systemPrompt: 'uses hunter22-secret' }) },
  createSecretMask(['hunter22-secret']),
  isEdited,
);

it.each([
  ['as written to the operator', { caller: { kind: 'operator' }, agent: null }, 'uses hunter22-secret'],
  ['masked on behalf of an agent', { caller: { kind: 'operator' }, agent: 'a' }, 'uses [redacted]'],
  ['masked to a bound agent', { caller: { kind: 'agent', agentId: 'a' }, agent: 'a' }, 'uses [redacted]'],
  ['masked without a caller', undefined, 'uses [redacted]'],
])('definitions are returned %s', async (_, context, systemPrompt) => {
  expect(await operations.getAgent({}, context)).toEqual({ systemPrompt });
});

it('masks keys, except for short words', () => {
  const mask = createSecretMask(['hunter22-secret', '4711', 'text']);
  expect(mask.value({ 'hunter22-secret': 1, n4711: 2, text: 3 })).toEqual({
    '[redacted]': 1,
    'n[redacted]': 2,
    text: 3,
  });
});
