import type { CategoryColor } from '../../../src/contract/agent.ts';

/** The hues a category can have; styles/tokens.css has their colours. */
export const HUES: readonly CategoryColor[] = [
  'leaf',
  'sky',
  'ochre',
  'plum',
  'sea',
  'clay',
  'iris',
  'olive',
  'rose',
  'stone',
];
