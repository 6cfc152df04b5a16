import type { Node } from 'yaml';
import { messageOf } from '../text/error-message.ts';

/** The YAML between the `---` lines at the top of a Markdown file. Its first line is line 2 of the file. */
export type FrontMatter =
  | { kind: 'none' }
  | { kind: 'broken'; line: number; why: string }
  | { kind: 'found'; fields: FrontMatterField[]; body: string; repaired: number[] };

export interface FrontMatterField {
  key: string;
  value: unknown;
  /** A scalar as written: `1.0` is a version, not the number 1. */
  written: string | null;
  line: number;
}

/** Lines before the first of the YAML. */
export const BEFORE_YAML = 1;

export async function parseFrontMatter(text: string): Promise<FrontMatter> {
  const parts = splitFrontMatter(text);
  if (parts === null) return { kind: 'none' };
  if (parts.body === null) {
    return {
      kind: 'broken',
      line: 1,
      why: 'the front matter is not closed: a second line of `---` is missing',
    };
  }
  const first = await parseYaml(parts.yaml);
  if (first.ok) return { kind: 'found', fields: first.fields, body: parts.body, repaired: [] };
  // Claude Code writes descriptions with unquoted colons and accepts them, and so do we.
  const { yaml, repaired } = quotePlainText(parts.yaml);
  const second = repaired.length > 0 ? await parseYaml(yaml) : first;
  if (second.ok) return { kind: 'found', fields: second.fields, body: parts.body, repaired };
  return { kind: 'broken', line: second.line, why: `not valid YAML: ${second.why}` };
}

export function splitFrontMatter(whole: string): { yaml: string; body: string | null } | null {
  const text = whole.replace(/^\uFEFF/, '');
  const opening = /^---[ \t]*\r?\n/.exec(text);
  if (!opening) return null;
  const rest = text.slice(opening[0].length);
  const closing = /^---[ \t]*(?:\r?\n|$)/m.exec(rest);
  if (closing)
    return { yaml: rest.slice(0, closing.index), body: rest.slice(closing.index + closing[0].length) };
  // A text may begin with a horizontal rule; only if YAML follows is the closing line missing.
  return /^[A-Za-z_][\w-]*:/.test(rest) ? { yaml: rest, body: null } : null;
}

const plainWithColon = /^([A-Za-z_][\w-]*:[ \t]+)([^\s"'[\]{}|>&*!%@`#].*:(?:[ \t].*)?)$/;

function quotePlainText(yaml: string): { yaml: string; repaired: number[] } {
  const repaired: number[] = [];
  const lines = yaml.split(/\r?\n/).map((line, index) => {
    const [, key, value] = plainWithColon.exec(line) ?? [];
    if (key === undefined || value === undefined) return line;
    repaired.push(index + 1 + BEFORE_YAML);
    return `${key}'${value.trimEnd().replaceAll("'", "''")}'`;
  });
  return { yaml: lines.join('\n'), repaired };
}

type Yaml = { ok: true; fields: FrontMatterField[] } | { ok: false; line: number; why: string };

async function parseYaml(text: string): Promise<Yaml> {
  const { isMap, isNode, isScalar, LineCounter, parseDocument } = await import('./yaml.ts');
  const counter = new LineCounter();
  const lineAt = (offset: number | undefined) => counter.linePos(offset ?? 0).line + BEFORE_YAML;
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const error = document.errors[0];
  if (error) return { ok: false, line: lineAt(error.pos[0]), why: error.message };
  if (document.contents === null) return { ok: true, fields: [] };
  if (!isMap(document.contents)) return { ok: false, line: lineAt(0), why: 'expected lines of `key: value`' };
  // Resolves aliases, and rejects alias bombs.
  const plain = (node: Node): unknown => node.toJS(document);
  try {
    const fields = document.contents.items.map(({ key, value }): FrontMatterField => {
      const offset = isScalar(key) ? key.range?.[0] : undefined;
      return {
        key: isScalar(key) ? String(key.value) : String(key),
        value: isNode(value) ? plain(value) : value,
        written: isScalar(value) && value.value !== null ? (value.source ?? null) : null,
        line: lineAt(offset),
      };
    });
    return { ok: true, fields };
  } catch (error) {
    return { ok: false, line: lineAt(0), why: messageOf(error) };
  }
}
