import type { Parser, SyntaxNode } from '@lezer/common';
import { blocksBetween, lineStartOf, type Parts, type Section } from './section.ts';

/** Larger files are split at blank lines: a syntax tree would take too much memory. */
const PARSED_UP_TO = 4 * 1024 * 1024;

const OPENING = 16;

/** A declaration with the comments above it. */
interface Unit {
  from: number;
  to: number;
  name: string | null;
  /** The members of a class, or statements of a function; computed only if it does not fit. */
  members: ((whole: { from: number; to: number }) => Unit[]) | null;
  isClass: boolean;
}

/**
 * A section per declaration; small neighbours share one. A class that does not fit is split into its members.
 * @param room how many characters are likely to fit into a chunk
 */
export function codeSections(text: string, parser: Parser | null, room: number): Section[] {
  // A file that fits into one section needs no syntax tree.
  const units =
    parser && text.length <= PARSED_UP_TO && text.length > room / 2
      ? unitsIn(parser.parse(text).topNode, text, 0, text.length)
      : unitsByIndentation(text);
  return sectionsOf(text, units, [], room);
}

function sectionsOf(text: string, units: readonly Unit[], path: readonly string[], room: number): Section[] {
  const sections: Section[] = [];
  let small: Unit[] = [];
  const closeSmall = () => {
    const first = small[0];
    const last = small.at(-1);
    if (!first || !last) return;
    const starts = small.map(({ from }) => ({ at: from }));
    sections.push({
      headings: [...path, ...labelOf(small)],
      blocks: blocksBetween(text, starts, first.from, last.to),
      from: first.from,
      to: last.to,
      overlaps: false,
    });
    small = [];
  };

  for (const unit of units) {
    const smallFrom = small[0]?.from ?? unit.from;
    if (unit.to - smallFrom > room / 2) {
      // A class's opening line alone makes no useful section.
      if (unit.from - smallFrom <= room / OPENING) {
        unit.from = smallFrom;
        small = [];
      }
      closeSmall();
    }
    const length = unit.to - unit.from;
    if (length <= room / 2) {
      small.push(unit);
      continue;
    }
    const headings = [...path, ...(unit.name === null ? [] : [unit.name])];
    if (length > room && unit.isClass && unit.members && path.length < 3) {
      sections.push(...sectionsOf(text, unit.members(unit), headings, room));
      continue;
    }
    const parts: { parts?: Parts } = unit.members ? { parts: statements(text, unit.members) } : {};
    const blocks = [{ from: unit.from, to: unit.to, ...parts }];
    sections.push({ headings, blocks, from: unit.from, to: unit.to, overlaps: true });
  }
  closeSmall();
  return sections;
}

const statements =
  (text: string, members: NonNullable<Unit['members']>): Parts =>
  (from, to) =>
    blocksBetween(
      text,
      members({ from, to }).map((member) => ({
        at: member.from,
        ...(member.members ? { parts: statements(text, member.members) } : {}),
      })),
      from,
      to,
    );

const LABEL_LIMIT = 8;

function labelOf(units: readonly Unit[]): string[] {
  const names = [...new Set(units.flatMap(({ name }) => (name === null ? [] : [name])))];
  return names.length === 0 ? [] : [names.slice(0, LABEL_LIMIT).join(', ')];
}

/** The children of a node, in whole lines from `from` to `to`. */
function unitsIn(node: SyntaxNode, text: string, from: number, to: number): Unit[] {
  const units: Unit[] = [];
  let pendingComment: number | null = null;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const start = Math.max(from, lineStartOf(text, child.from));
    if (/comment/i.test(child.name) && text.slice(start, child.from).trim() === '') {
      pendingComment ??= start;
      continue;
    }
    const begin: number = units.length === 0 ? from : (pendingComment ?? start);
    pendingComment = null;
    const last = units.at(-1);
    if (last && begin <= last.from) continue;
    if (last) last.to = begin;
    units.push(unitOf(child, text, begin, to));
  }
  return units.length > 0 ? units : [{ from, to, name: null, members: null, isClass: false }];
}

function unitOf(node: SyntaxNode, text: string, from: number, to: number): Unit {
  const header = text.slice(node.from, Math.min(node.to, node.from + HEADER));
  return {
    from,
    to,
    name: nameIn(header),
    isClass: classLike.test(header),
    members: (whole) => unitsIn(bodyOf(node) ?? node, text, whole.from, whole.to),
  };
}

/** The innermost descendant that covers most of this node. */
function bodyOf(node: SyntaxNode): SyntaxNode | null {
  let found: SyntaxNode = node;
  for (;;) {
    const length = found.to - found.from;
    let inner: SyntaxNode | null = null;
    for (let child = found.firstChild; child; child = child.nextSibling) {
      if ((child.to - child.from) * 10 > length * 6) inner = child;
    }
    if (!inner) break;
    found = inner;
  }
  return found.firstChild && found !== node ? found : null;
}

const classLike =
  /^(?:[\w@()"', \t\n]*\s)?(?:class|interface|trait|impl|struct|enum|namespace|module|object|record)\b/;
const declared =
  /\b(?:function\*?|enum\s+class|class|interface|type|trait|impl|fn|func|fun|def|defmodule|defp|module|mod|namespace|object|record|protocol|extension|let|var|val|table|view|procedure|message|package)\s+(?:\([^)]*\)\s*)?(?:if\s+not\s+exists\s+)?(?:<[^>]*>\s*)?([A-Za-z_$][\w$.]*)/i;
/** Keywords that can also precede a type, as in `static int run(`. */
const declaredOrTyped =
  /\b(?:const|static|struct|enum|union)\s+([A-Za-z_$][\w$.]*)(?![\w$.]|(?:[\s*&]+[A-Za-z_]\w*)+\s*[(=;[])/i;
const called = /([A-Za-z_~][\w:~]*)\s*\(/;
const noName =
  /^(?:import|from|use|using|#include|package|return|if|for|while|switch|try|export\s*[{*]|function\s*\()/;
/** Comments and decorators above a declaration. */
const above = /^(?:[ \t]*(?:@|\/\/|\/?\*|--|;|#(?!\s*(?:include|define)\b))[^\n]*(?:\n|$)|[ \t]*\n)+/;

/** The first name in the signature. The body is left out, since it declares names of its own. */
function nameIn(header: string): string | null {
  const [signature = ''] = header.replace(above, '').split('{', 1);
  if (noName.test(signature)) return null;
  const [first] = [declared, declaredOrTyped, called]
    .map((kind) => kind.exec(signature))
    .filter((match) => match !== null)
    .toSorted((a, b) => a.index - b.index);
  const name = first?.[1] ?? null;
  return name === 'function' ? null : name;
}

const HEADER = 300;

/** Units that start at an unindented line after a blank one. */
function unitsByIndentation(text: string): Unit[] {
  const units: Unit[] = [];
  const starts = /(?:^|\n[ \t\r]*\n)(?=[^\s})\]])/g;
  for (let found = starts.exec(text); found; found = starts.exec(text)) {
    const from = units.length === 0 ? 0 : found.index + found[0].length;
    if (found[0] === '') starts.lastIndex++;
    const last = units.at(-1);
    if (last) last.to = from;
    units.push({ from, to: text.length, name: null, members: null, isClass: false });
  }
  for (const unit of units) unit.name = nameIn(text.slice(unit.from, Math.min(unit.to, unit.from + HEADER)));
  return units.length > 0 ? units : [{ from: 0, to: text.length, name: null, members: null, isClass: false }];
}
