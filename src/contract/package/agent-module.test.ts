import type { StandardSchemaV1 } from '@standard-schema/spec';
import * as z from 'zod';
import { expect, expectTypeOf, test } from 'vitest';
import { defineAgent, type StandardSchema } from './agent-module.ts';

test('any Standard Schema is accepted', () => {
  expectTypeOf<StandardSchemaV1<string, number>>().toExtend<StandardSchema<string, number>>();
  expectTypeOf<z.ZodObject>().toExtend<StandardSchema>();
});

test('defineAgent returns the agent unchanged, with arguments typed by a list or a schema', () => {
  const listed = defineAgent({
    name: 'listed',
    arguments: [{ name: 'who' }],
    resolve(args) {
      expectTypeOf(args.who).toEqualTypeOf<string | undefined>();
      return { system: `For ${args.who}` };
    },
  });
  defineAgent({
    name: 'typed',
    arguments: z.object({ count: z.number().default(1) }),
    resolve(args) {
      expectTypeOf(args).toEqualTypeOf<{ count: number }>();
      return { system: String(args.count) };
    },
  });
  expect(listed).toMatchObject({ name: 'listed', arguments: [{ name: 'who' }] });
});
