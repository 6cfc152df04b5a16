import { parseFrontMatter } from '../../platform/files/front-matter.ts';
import { messageOf } from '../../platform/text/error-message.ts';

/** The length of the front matter at the start of a text, in YAML (`---`) or TOML (`+++`); 0 if there is none. */
export function frontMatterLength(text: string): number {
  const mark = text.slice(0, 3);
  if ((mark !== '---' && mark !== '+++') || !isMark(text, 0, mark)) return 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    if (!isMark(text, at + 1, mark)) continue;
    const end = text.indexOf('\n', at + 1);
    return end < 0 ? text.length : end + 1;
  }
  return 0;
}

/** Whether the line at an offset contains only the mark and blanks. */
function isMark(text: string, at: number, mark: string): boolean {
  if (!text.startsWith(mark, at)) return false;
  const end = text.indexOf('\n', at);
  const rest = text.slice(at + mark.length, end < 0 ? text.length : end);
  return rest.trim() === '';
}

export interface FrontMatter {
  fields: Record<string, unknown>;
  /** Why it was ignored; null if it was not. */
  problem: string | null;
}

export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const matter = text.startsWith('+++') ? await parseToml(text) : await parseFrontMatter(text);
  if (matter.kind === 'found') return { fields: jsonValues(matter.fields), problem: null };
  // The two marks may also be horizontal rules.
  const isMatter = /^---[ \t]*\n\s*["']?[\w-]+["']?[ \t]*:|^\+\+\+/.test(text);
  const problem = matter.kind === 'broken' && isMatter ? `its front matter was ignored: ${matter.why}` : null;
  return { fields: {}, problem };
}

type Fields = readonly { key: string; value: unknown }[];
type TomlMatter = { kind: 'none' } | { kind: 'broken'; why: string } | { kind: 'found'; fields: Fields };

/** TOML between lines of `+++`, as in Hugo and Zola. */
async function parseToml(text: string): Promise<TomlMatter> {
  const length = frontMatterLength(text);
  if (length === 0) return { kind: 'none' };
  const { parse } = await import('smol-toml');
  const written = text.slice(text.indexOf('\n') + 1, text.lastIndexOf('+++', length));
  try {
    return { kind: 'found', fields: Object.entries(parse(written)).map(([key, value]) => ({ key, value })) };
  } catch (error) {
    return { kind: 'broken', why: messageOf(error).split('\n', 1)[0] ?? '' };
  }
}

const VALUE_LIMIT = 64 * 1024;

/** Values as JSON has them. Those that JSON cannot express, or that are excessive, are dropped one by one. */
function jsonValues(fields: Fields): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const { key, value } of fields) {
    try {
      const written: string | undefined = JSON.stringify(value);
      if (written === undefined || written.length > VALUE_LIMIT) continue;
      const parsed: unknown = JSON.parse(written);
      Object.defineProperty(plain, key, { value: parsed, enumerable: true, configurable: true });
    } catch {
      continue;
    }
  }
  return plain;
}
