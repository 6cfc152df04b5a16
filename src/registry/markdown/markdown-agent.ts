import { AgentInput, AgentPatch } from '../../contract/agent.ts';
import type { Diagnostic, DiagnosticCode, Severity } from '../../contract/diagnostic.ts';
import { describeIssue } from '../../contract/parsing/issue-words.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { slug } from '../../platform/text/slug.ts';
import { type FrontMatterField, parseFrontMatter } from '../../platform/files/front-matter.ts';
import { diagnoseId } from '../file-source.ts';
import { splitToolList } from './skill-file.ts';

export type MarkdownAgent =
  | { ok: true; id: string; input: AgentInput; diagnostics: Diagnostic[] }
  /** `failed` is false for a file that is not an agent. */
  | { ok: false; failed: boolean; diagnostics: Diagnostic[] };

const known = new Set(Object.keys(AgentPatch.shape));

/** Whether a front matter key is one of our fields; others are kept as metadata. */
export const isAgentField = (key: string): boolean => known.has(camelCase(key));

const wordLists = new Set(['tools', 'sources', 'contextRefs']);
const texts = new Set([
  'name',
  'description',
  'version',
  'mode',
  'model',
  'systemPrompt',
  'toolPermission',
  'toolApprovals',
  'appearanceSeed',
]);

/** An agent as in Claude Code's `.claude/agents`: front matter for its fields, the body for its prompt. */
export async function parseMarkdownAgent(text: string, file: string, stem: string): Promise<MarkdownAgent> {
  const problem = (severity: Severity, code: DiagnosticCode, message: string, line: number, hint: string) =>
    diagnose(severity, code, message, { file, line, hint });
  const frontMatter = await parseFrontMatter(text);

  if (frontMatter.kind === 'broken') {
    const hint = 'The agent is not served until this is fixed.';
    return {
      ok: false,
      failed: true,
      diagnostics: [problem('error', 'syntax', frontMatter.why, frontMatter.line, hint)],
    };
  }
  const fields = frontMatter.kind === 'found' ? frontMatter.fields : [];
  if (frontMatter.kind === 'none' || !fields.some(({ key }) => key === 'name' || key === 'description')) {
    const why =
      frontMatter.kind === 'none'
        ? 'no front matter'
        : 'neither a name nor a description in its front matter';
    const hint = 'To make it one, start the file with `---`, `name: …`, `description: …`, `---`.';
    return {
      ok: false,
      failed: false,
      diagnostics: [problem('note', 'not-an-agent', `not an agent: it has ${why}`, 1, hint)],
    };
  }
  const diagnostics = frontMatter.repaired.map((line) =>
    problem('note', 'syntax', 'a value with a colon in it is read as text', line, 'Put it into quotes.'),
  );

  const raw = toRaw(fields, frontMatter.body, stem);
  const parsed = AgentInput.safeParse(raw);
  if (!parsed.success) {
    const hint = 'The agent is not served until this is fixed.';
    for (const issue of parsed.error.issues) {
      const line = fields.find(({ key }) => camelCase(key) === issue.path[0])?.line ?? 1;
      diagnostics.push(
        problem(
          'error',
          'invalid-value',
          describeIssue(issue, { root: raw, notation: 'toml', schema: AgentInput }),
          line,
          hint,
        ),
      );
    }
    return { ok: false, failed: true, diagnostics };
  }
  const input = parsed.data;
  // A reserved name is rejected, not changed into an id that its author would not expect.
  const line = fields.find(({ key }) => key === 'name')?.line ?? 1;
  const plain = diagnoseId(input.name, { file, line });
  const id = plain?.code === 'invalid-value' ? slug(input.name, '') : input.name;
  const wrongId = diagnoseId(id, { file, line });
  if (wrongId) return { ok: false, failed: false, diagnostics: [...diagnostics, wrongId] };
  return { ok: true, id, input, diagnostics };
}

function toRaw(fields: readonly FrontMatterField[], body: string, stem: string): Record<string, unknown> {
  const raw: Record<string, unknown> = { name: stem };
  const metadata: Record<string, unknown> = {};
  for (const { key, value, written } of fields) {
    const field = camelCase(key);
    if (!known.has(field) || isForeign(field, value)) metadata[key] = value;
    else if (value === null || value === undefined) continue;
    else if (wordLists.has(field)) raw[field] = typeof value === 'string' ? splitToolList(value) : value;
    else if (texts.has(field)) raw[field] = typeof value === 'string' ? value : (written ?? value);
    else if (field === 'metadata') Object.assign(metadata, value);
    else raw[field] = Array.isArray(value) ? value.map(camelKeys) : value;
  }
  // `inherit` means no model. Kept as metadata for exports.
  if (raw.model === 'inherit') {
    delete raw.model;
    metadata.model = 'inherit';
  }
  const prompt = body.replaceAll('\r\n', '\n').trim();
  if (prompt !== '' || raw.systemPrompt === undefined) raw.systemPrompt = prompt;
  return { ...raw, metadata };
}

/** Claude Code has `skills` and `context` too, as names; ours are tables. */
function isForeign(field: string, value: unknown): boolean {
  if (field !== 'skills' && field !== 'context') return false;
  return (
    typeof value === 'string' || (Array.isArray(value) && value.some((item) => typeof item === 'string'))
  );
}

function camelCase(key: string): string {
  return key.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function camelKeys(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item;
  return Object.fromEntries(Object.entries(item).map(([key, value]) => [camelCase(key), value]));
}
