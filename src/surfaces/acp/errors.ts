import { RequestError } from '@agentclientprotocol/sdk';
import { type ErrorCode, ZooError } from '../../contract/errors.ts';

const AUTH_REQUIRED = -32_000;
const NOT_FOUND = -32_002;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;

/** Codes with their own error code in ACP; the others are internal errors with our message. */
const CODES: ReadonlyMap<ErrorCode, number> = new Map([
  ['no_provider', AUTH_REQUIRED],
  ['unauthorized', AUTH_REQUIRED],
  ['chat_not_found', NOT_FOUND],
  ['agent_not_found', INVALID_PARAMS],
  ['invalid_arguments', INVALID_PARAMS],
  ['invalid_format', INVALID_PARAMS],
  ['too_large', INVALID_PARAMS],
]);

/** Any failure as an error of the protocol. A bug is logged with its stack and answered without it. */
export function toRequestError(error: unknown, log: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof ZooError) {
    return new RequestError(CODES.get(error.code) ?? INTERNAL, error.message, { code: error.code });
  }
  log(error);
  return new RequestError(INTERNAL, 'Internal error. See the log: `zoo logs`');
}

export const invalidParams = (message: string): RequestError => new RequestError(INVALID_PARAMS, message);

export const failedTurn = (code: string, message: string): RequestError =>
  new RequestError(INTERNAL, message, { code });

export const sessionNotFound = (id: string): RequestError =>
  new RequestError(
    NOT_FOUND,
    `Session '${id}' not found. \`session/list\` lists the sessions that can be loaded.`,
  );
