import type { Json } from '../sandbox.ts';

/** What JSON.parse gives is JSON, which its type does not say. */
export const parseJson: (text: string) => Json = JSON.parse;
