import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { isIssue, meantIssue, renderPath, sentence } from '../../../contract/parsing/issue-words.ts';

/** The SDK throws invalid parameters as an error whose message is a list of issues: null for every other error. */
export function invalidParams(error: unknown, method: string, params: unknown): ProtocolError | null {
  if (!(error instanceof Error)) return null;
  const issues = parseJson(error.message.replace(/^Invalid \S+ request: (?=\[)/, ''));
  if (!Array.isArray(issues) || issues.length === 0 || !issues.every(isIssue)) return null;
  const sentences = issues.map((issue) => describe(issue, { params }));
  const message = `Invalid params for ${method}: ${[...new Set(sentences)].join('; ')}.`;
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function describe(issue: Parameters<typeof meantIssue>[0], root: { params: unknown }): string {
  const { path, words } = meantIssue(issue, { root });
  return sentence(renderPath(path[0] === 'params' && path.length > 1 ? path.slice(1) : path), words);
}
