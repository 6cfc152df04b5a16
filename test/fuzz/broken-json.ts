import * as fc from 'fast-check';
import { trouble } from './from-schema.ts';

/** The JSON text of a value, often damaged: another value somewhere inside, a key missing, the text cut off. */
export function brokenJson(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  const whole = value.map((each) => JSON.stringify(each) ?? 'null');
  const changed = fc
    .tuple(value, fc.nat(), fc.oneof(fc.constant(GONE), trouble))
    .map(([each, at, instead]) => JSON.stringify(changeAt(each, at, instead)) ?? '');
  return fc.oneof(
    { weight: 6, arbitrary: whole },
    { weight: 8, arbitrary: changed },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1))),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(whole, fc.nat(), fc.string({ unit: 'binary', maxLength: 4 })).map(insertAt),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('', '[', '{"a":', 'null', '[]', '"x"', 'NaN', '\ufeff{}', '{"a":1,"a":2}'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1000, 20_000, 100_000).map((n) => '['.repeat(n) + ']'.repeat(n)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(1000, 20_000).map((n) => '{"a":'.repeat(n) + '1' + '}'.repeat(n)),
    },
  );
}

const GONE = Symbol('gone');

function insertAt([text, at, more]: [string, number, string]): string {
  const place = at % (text.length + 1);
  return text.slice(0, place) + more + text.slice(place);
}

/** A copy of the value in which its nth inner value is another one, or gone. */
function changeAt(value: unknown, nth: number, instead: unknown): unknown {
  const left = { steps: nth % sizeOf(value) };
  return change(value, left, instead);
}

function change(value: unknown, left: { steps: number }, instead: unknown): unknown {
  if (left.steps-- === 0) return instead === GONE ? undefined : instead;
  if (Array.isArray(value)) {
    return value.map((each) => change(each, left, instead)).filter((each) => each !== undefined);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, change(each, left, instead)]));
}

function sizeOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, each) => sum + sizeOf(each), 1);
}
