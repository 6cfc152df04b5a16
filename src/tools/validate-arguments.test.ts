import { expect, it } from 'vitest';
import { createValidateArguments, validateArguments } from './validate-arguments.ts';
import { processorMs } from '../../test/processor-time.ts';

const tool = (properties: Record<string, unknown>, more = {}) => ({
  name: 'x',
  inputSchema: { type: 'object', properties, ...more },
});

it('works again after the validator could not be loaded once', async () => {
  let failing = true;
  const validate = createValidateArguments(async () => {
    if (failing) throw new Error('too many open files');
    return import('./ajv.ts');
  });
  const any = tool({});
  await expect(validate(any, {})).rejects.toThrow('too many open files');
  failing = false;
  expect(await validate(any, { a: 1 })).toEqual({ a: 1 });
});

it('checks the patterns of a schema in linear time', async () => {
  const evil = tool(
    { name: { type: 'string', pattern: '^(a+)+$' } },
    { patternProperties: { '^(b+)+$': { type: 'number' } } },
  );
  const started = processorMs();
  await expect(validateArguments(evil, { name: `${'a'.repeat(5000)}!` })).rejects.toThrow(
    'must match pattern',
  );
  await expect(validateArguments(evil, { [`${'b'.repeat(5000)}!`]: 'x' })).resolves.toBeDefined();
  await expect(validateArguments(evil, { bb: 'x' })).rejects.toThrow('bb must be a number, not text');
  expect(processorMs() - started).toBeLessThan(5000);
});

it('leaves patterns that need backtracking to the server', async () => {
  const lookahead = tool({ name: { type: 'string', pattern: '^(?=a)b$' } });
  expect(await validateArguments(lookahead, { name: 'anything' })).toEqual({ name: 'anything' });
});
