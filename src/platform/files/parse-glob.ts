import { ZooError } from '../../contract/errors.ts';

export type GlobSyntax = 'path' | 'gitignore';

export type GlobNode =
  | { kind: 'text'; text: string }
  /** `?` or `[a-z]`; never a slash. */
  | { kind: 'character'; accepts(codePoint: number): boolean }
  /** `*` */
  | { kind: 'star' }
  /** `**`; with `slash`, the slash behind it belongs to it. */
  | { kind: 'folders'; slash: boolean }
  /** `{a,b}`, `@(a|b)`, `?(a)`, `*(a)`, `+(a)`, `!(a)` */
  | { kind: 'group'; options: GlobNode[][]; repeat: 'once' | 'optional' | 'any' | 'some' | 'none' };

type Repeat = (GlobNode & { kind: 'group' })['repeat'];

const repeats: Readonly<Record<string, Repeat>> = {
  '@': 'once',
  '?': 'optional',
  '*': 'any',
  '+': 'some',
  '!': 'none',
};

/** Repeated groups within repeated groups multiply the time of a match. */
const DEEPEST = { ')': 2, '}': 8 };
const MOST_NUMBERS = 1_000;

export function parseGlob(glob: string, syntax: GlobSyntax): GlobNode[] {
  const parser = { glob, at: 0, syntax, groups: syntax === 'path' ? findGroups(glob) : new Set<number>() };
  return parseSequence(parser, '', { groups: 0, braces: 0, atNameStart: true });
}

interface Parser {
  glob: string;
  at: number;
  syntax: GlobSyntax;
  /** Where groups open that also close. */
  groups: ReadonlySet<number>;
}

interface Place {
  /** How many of each it is in. */
  groups: number;
  braces: number;
  atNameStart: boolean;
}

/** The offsets of all parentheses and braces that open a group. A brace without a comma opens none. */
function findGroups(glob: string): Set<number> {
  const found = new Set<number>();
  const open: { at: number; end: string; chooses: boolean }[] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '\\') at++;
    else if (character === '{') open.push({ at, end: '}', chooses: false });
    else if (character === '(' && glob.charAt(at - 1) in repeats) open.push({ at, end: ')', chooses: true });
    else if (character === ',') for (const each of open.slice(-1)) each.chooses = true;
    else if (character === '}' || character === ')') {
      const own = open.findLastIndex(({ end }) => end === character);
      const group = open[own];
      if (!group) continue;
      open.length = own;
      if (group.chooses) found.add(group.at);
    }
  }
  return found;
}

/** Up to one of the characters in `ends`, outside of inner groups. */
function parseSequence(parser: Parser, ends: string, place: Place): GlobNode[] {
  const { glob } = parser;
  const nodes: GlobNode[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') nodes.push({ kind: 'text', text });
    text = '';
  };
  while (parser.at < glob.length && !ends.includes(glob.charAt(parser.at))) {
    const last = nodes.at(-1);
    const afterNode = last ? last.kind === 'folders' && last.slash : place.atNameStart;
    const atNameStart = text === '' ? afterNode : text.endsWith('/');
    const next = parseNext(parser, ends, { ...place, atNameStart });
    if (typeof next === 'string') text += next;
    else {
      flush();
      nodes.push(next);
    }
  }
  flush();
  return nodes;
}

/** The next node, or literal text. */
function parseNext(parser: Parser, ends: string, place: Place): GlobNode | string {
  const { glob, at, syntax } = parser;
  const character = glob.charAt(at);
  const rest = glob.slice(at, at + 4);
  const endsThere = (offset: number) => {
    const next = glob.charAt(at + offset);
    return next === '' || ends.includes(next);
  };
  if (character === '\\' && at + 1 < glob.length) {
    parser.at += 2;
    return glob.charAt(at + 1);
  }
  const repeat = glob.charAt(at + 1) === '(' && parser.groups.has(at + 1) ? repeats[character] : undefined;
  if (repeat !== undefined) return parseGroup(parser, at + 2, ')', repeat, place);
  if (rest.startsWith('/**') && endsThere(3) && syntax === 'path') {
    parser.at += 3;
    // `a/**` also matches `a`.
    const inside: GlobNode[] = [
      { kind: 'text', text: '/' },
      { kind: 'folders', slash: false },
    ];
    return { kind: 'group', options: [inside], repeat: 'optional' };
  }
  if (rest.startsWith('**') && place.atNameStart && (glob.charAt(at + 2) === '/' || endsThere(2))) {
    const slash = glob.charAt(at + 2) === '/';
    parser.at += slash ? 3 : 2;
    return { kind: 'folders', slash };
  }
  if (character === '*') {
    while (glob.charAt(parser.at) === '*') parser.at++;
    return { kind: 'star' };
  }
  if (character === '?') {
    parser.at++;
    return { kind: 'character', accepts: () => true };
  }
  if (character === '[') {
    const found = parseClass(parser);
    if (found) return found;
  }
  if (character === '{' && syntax === 'path') {
    const numbers = parseNumbers(parser);
    if (numbers) return numbers;
    if (parser.groups.has(at)) return parseGroup(parser, at + 1, '}', 'once', place);
  }
  parser.at++;
  return character;
}

function parseGroup(parser: Parser, start: number, end: ')' | '}', repeat: Repeat, place: Place): GlobNode {
  const inner = {
    groups: place.groups + (end === ')' ? 1 : 0),
    braces: place.braces + (end === '}' ? 1 : 0),
    atNameStart: place.atNameStart,
  };
  if (inner.groups > DEEPEST[')'] || inner.braces > DEEPEST['}']) {
    throw new ZooError('invalid_arguments', `The glob nests groups too deeply: ${parser.glob}`);
  }
  const separator = end === ')' ? '|' : ',';
  const options: GlobNode[][] = [];
  parser.at = start;
  do {
    options.push(parseSequence(parser, separator + end, inner));
  } while (parser.glob.charAt(parser.at++) === separator);
  return { kind: 'group', options, repeat };
}

/** `{1..9}` */
function parseNumbers(parser: Parser): GlobNode | null {
  const found = /^\{(-?\d{1,9})\.\.(-?\d{1,9})\}/.exec(parser.glob.slice(parser.at, parser.at + 32));
  if (!found) return null;
  const ends = [Number(found[1]), Number(found[2])];
  const first = Math.min(...ends);
  const count = Math.max(...ends) - first + 1;
  if (count > MOST_NUMBERS) return null;
  parser.at += found[0].length;
  const options = Array.from({ length: count }, (_, offset): GlobNode[] => [
    { kind: 'text', text: String(first + offset) },
  ]);
  return { kind: 'group', options, repeat: 'once' };
}

/** `[abc]`, `[a-z]`, `[!a]`. Null if it is not closed: the bracket is then literal. */
function parseClass(parser: Parser): GlobNode | null {
  const { glob } = parser;
  let at = parser.at + 1;
  const negated = glob[at] === '!' || glob[at] === '^';
  if (negated) at++;
  const ranges: { from: number; to: number }[] = [];
  for (let first = true; at < glob.length; first = false) {
    if (glob[at] === ']' && !first) {
      parser.at = at + 1;
      const accepts = (codePoint: number) =>
        ranges.some(({ from, to }) => from <= codePoint && codePoint <= to) !== negated;
      return { kind: 'character', accepts };
    }
    const from = readCodePoint(glob, at);
    at = from.next;
    const isRange = glob[at] === '-' && at + 1 < glob.length && glob[at + 1] !== ']';
    const to = isRange ? readCodePoint(glob, at + 1) : from;
    at = to.next;
    ranges.push({ from: from.codePoint, to: to.codePoint });
  }
  return null;
}

function readCodePoint(glob: string, at: number): { codePoint: number; next: number } {
  const start = glob[at] === '\\' && at + 1 < glob.length ? at + 1 : at;
  const codePoint = glob.codePointAt(start) ?? 0;
  return { codePoint, next: start + (codePoint > 0xffff ? 2 : 1) };
}
