import { createHash, createHmac, randomUUID } from 'node:crypto';
import { Fault } from './halt.ts';
import type { HostFunction } from './host-function.ts';
import { parseJson } from './json-text.ts';
import type { HostValue } from './host-value.ts';
import { formatTime } from './format-time.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** Functions that run in the thread itself, without asking the hub. Stateless. */
export const localFunctions: Record<string, HostFunction> = {
  'json.parse': (args) => parseText(args.text(1)),
  'json.encode': (args) => {
    const indent = args.has(2) ? args.json(2) : null;
    return JSON.stringify(args.json(1), null, indent === true ? 2 : undefined);
  },
  'base64.encode': (args) => Buffer.from(args.bytes(1)).toString('base64'),
  'base64.decode': (args) => {
    const text = args.looseText(1);
    if (!/^[\w+/-]*={0,2}\s*$/.test(text.replaceAll(/\s/g, '')))
      throw new Fault('base64.decode: the text is not base64');
    return Buffer.from(text, 'base64');
  },
  'crypto.sha256': (args) => createHash('sha256').update(args.bytes(1)).digest('hex'),
  'crypto.hmac_sha256': (args) => createHmac('sha256', args.bytes(1)).update(args.bytes(2)).digest('hex'),
  'crypto.uuid': () => randomUUID(),
  'time.now': () => Date.now() / 1000,
  'time.format': (args) =>
    formatTime(args.has(1) ? args.number(1) : Date.now() / 1000, args.has(2) ? args.text(2) : null),
};

function parseText(text: string): HostValue {
  try {
    return parseJson(text);
  } catch (error) {
    throw new Fault(`json.parse: ${messageOf(error)}`);
  }
}
