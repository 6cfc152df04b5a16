import { ZooError } from '../../contract/errors.ts';
import { parseGlob, type GlobNode, type GlobSyntax } from './parse-glob.ts';

export interface GlobOptions {
  /** Whether wildcards match names that begin with a dot. */
  dot?: boolean;
  /** `gitignore` has no braces or groups, and `a/**` does not match `a` itself. */
  syntax?: GlobSyntax;
}

/** Offsets into a path that part of a glob may end at, ascending. */
type Ends = readonly number[];
type Step = (path: string, from: Ends) => Ends;

const LONGEST = 1_024;

/**
 * Compiles a glob to a test for paths with `/` between their parts. The match advances all possible positions
 * together instead of backtracking, so that no pattern takes exponential time: globs come from cloned repositories
 * and from models. Throws `invalid_arguments` for a glob that is too long or nests groups too deeply.
 */
export function compileGlob(glob: string, { dot = false, syntax = 'path' }: GlobOptions = {}) {
  if (glob.length > LONGEST) {
    throw new ZooError('invalid_arguments', `The glob is too long: ${glob.length} of ${LONGEST} characters.`);
  }
  const negated = syntax === 'path' && /^!(?!\()/.test(glob);
  const nodes = parseGlob(glob.slice(negated ? 1 : 0).replace(/^\.\//, ''), syntax);
  const [only] = nodes;
  if (!negated && nodes.length === 1 && only?.kind === 'text') return (path: string) => path === only.text;
  const last = nodes.at(-1);
  const suffix = last?.kind === 'text' ? last.text : '';
  const match = sequence(nodes, dot);
  return (path: string): boolean => {
    const matched = path.endsWith(suffix) && match(path, [0]).at(-1) === path.length;
    return matched !== negated;
  };
}

function sequence(nodes: readonly GlobNode[], dot: boolean): Step {
  const steps = nodes.map((node) => stepOf(node, dot));
  return (path, from) => {
    let ends = from;
    for (const step of steps) {
      if (ends.length === 0) break;
      ends = step(path, ends);
    }
    return ends;
  };
}

function stepOf(node: GlobNode, dot: boolean): Step {
  const isHidden = (path: string, at: number) => !dot && path[at] === '.' && startsName(path, at);
  if (node.kind === 'group') return groupStep(node, dot);
  if (node.kind === 'folders') return (path, from) => reach(path, from, isHidden, node.slash);
  if (node.kind === 'text') {
    return (path, from) =>
      from.flatMap((at) => (path.startsWith(node.text, at) ? [at + node.text.length] : []));
  }
  if (node.kind === 'character') {
    return (path, from) =>
      from.flatMap((at) => {
        const character = path.codePointAt(at);
        if (character === undefined || character === SLASH || isHidden(path, at)) return [];
        return node.accepts(character) ? [at + (character > 0xffff ? 2 : 1)] : [];
      });
  }
  return (path, from) => {
    const ends: number[] = [];
    let covered = -1;
    for (const at of from) {
      if (isHidden(path, at)) continue;
      const end = nameEnd(path, at);
      for (let next = Math.max(at, covered + 1); next <= end; next++) ends.push(next);
      covered = Math.max(covered, end);
    }
    return ends;
  };
}

const SLASH = 0x2f;

const startsName = (path: string, at: number) => at === 0 || path.charCodeAt(at - 1) === SLASH;

function nameEnd(path: string, at: number): number {
  const end = path.indexOf('/', at);
  return end < 0 ? path.length : end;
}

/** Any number of names: up to their ends, or with `slash` past the slash behind each. */
function reach(
  path: string,
  from: Ends,
  isHidden: (path: string, at: number) => boolean,
  slash: boolean,
): Ends {
  const ends = new Set(from);
  for (const start of from) {
    for (let at = start; at < path.length && !isHidden(path, at);) {
      const end = nameEnd(path, at);
      const next = end + 1;
      if (slash && end === path.length) break;
      // Already visited from another start.
      if (ends.has(slash ? next : end) && end > start) break;
      ends.add(slash ? next : end);
      at = next;
    }
  }
  return ascending(ends);
}

function groupStep({ options, repeat }: GlobNode & { kind: 'group' }, dot: boolean): Step {
  const steps = options.map((option) => sequence(option, dot));
  const once: Step = (path, from) => union(steps.map((step) => step(path, from)));
  if (repeat === 'once') return once;
  if (repeat === 'optional') return (path, from) => union([from, once(path, from)]);
  if (repeat === 'none') {
    return (path, from) =>
      union(
        from.map((at) => {
          const refused = new Set(once(path, [at]));
          const all: number[] = [];
          for (let end = at; end <= nameEnd(path, at); end++) if (!refused.has(end)) all.push(end);
          return dot || path[at] !== '.' || !startsName(path, at) ? all : [];
        }),
      );
  }
  return (path, from) => {
    const seen = new Set(repeat === 'any' ? from : []);
    for (let next = once(path, from); next.length > 0; next = once(path, next)) {
      const fresh = next.filter((end) => !seen.has(end));
      if (fresh.length === 0) break;
      for (const end of fresh) seen.add(end);
      next = fresh;
    }
    return ascending(seen);
  };
}

const union = (all: readonly Ends[]): Ends => ascending(new Set(all.flat()));
const ascending = (ends: Iterable<number>): Ends => [...ends].toSorted((a, b) => a - b);
