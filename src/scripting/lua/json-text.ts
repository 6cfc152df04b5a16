import type { Json } from '../sandbox.ts';

/** `JSON.parse` returns JSON, though its type is `any`. */
export const parseJson: (text: string) => Json = JSON.parse;
