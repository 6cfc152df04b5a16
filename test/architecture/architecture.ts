import { posix } from 'node:path';
import { findCycles } from './import-cycles.ts';
import { importsOf, type Tree } from './imports.ts';

const peers = ['registry', 'knowledge', 'tools', 'runner', 'teams'];
/** Files of src/ itself: what brings the surfaces together, and the programs made of that. */
const tops = ['wiring', 'main', 'embed'];
const layers = [
  ['contract'],
  ['platform'],
  ['scripting'],
  peers,
  ['hub'],
  ['surfaces'],
  ['wiring'],
  ['main', 'embed'],
];
const rooms = layers.flat().filter((room) => !tops.includes(room));
const besideSrc = ['web', 'test', 'bench', 'scripts'];

/** The packages that those who also run in the browser may use. */
const browserPackages: Readonly<Record<string, string[]>> = {
  contract: ['zod', 'fastest-levenshtein'],
  client: ['eventsource-parser'],
};

const implementations =
  /\/(sources|connectors|harnesses|providers|embedding-providers|databases|migrations|builtin)$/;
const vagueNames = /(^|[-.])(utils?|helpers?|common|types|managers?|services?)($|[-.])/;
const kebabCase = /^[a-z0-9]+([-.][a-z0-9]+)*$/;
const maxLines = 400;

/** Every place where the tree breaks the rules of docs/architecture.md, as `file:line: what, and where it belongs`. */
export function checkArchitecture(tree: Tree): string[] {
  const paths = Object.keys(tree).toSorted();
  return [
    ...paths.flatMap((path) => [...checkPlace(path), ...checkName(path), ...checkLength(path, tree[path]!)]),
    ...paths.flatMap((path) => checkImports(path, tree[path]!)),
    ...checkLists(tree),
    ...findCycles(tree).map(
      ({ file, line, through }) =>
        `${file}:${line}: imports itself by way of ${through.join(' → ')}: ` +
        'move what both need into a file of its own',
    ),
  ];
}

function checkPlace(path: string): string[] {
  const [top, room = ''] = path.split('/');
  if (top !== 'src' || rooms.includes(room)) {
    return /^src\/surfaces\/[^/]+$/.test(path)
      ? [`${path}:1: lies between the surfaces: what they share belongs in hub/ or contract/`]
      : [];
  }
  if (/^(main|client|embed|wiring)(\.test)?\.ts$/.test(room)) return [];
  return [
    path === `src/${room}`
      ? `${path}:1: src/ holds main.ts, embed.ts, wiring.ts, client.ts and the rooms: put the file into the room it belongs to`
      : `${path}:1: ${room}/ is not a room: the rooms are ${rooms.join(', ')}`,
  ];
}

function checkName(path: string): string[] {
  return path.split('/').flatMap((name) => {
    if (vagueNames.test(name)) {
      return [`${path}:1: "${name}" says nothing: name it after what is in it`];
    }
    return kebabCase.test(name) ? [] : [`${path}:1: "${name}" is not kebab-case`];
  });
}

function checkLength(path: string, text: string): string[] {
  const lines = text.replace(/\n$/, '').split('\n').length;
  return lines > maxLines
    ? [`${path}:${maxLines + 1}: ${lines} lines: at ${maxLines} a file is two files`]
    : [];
}

function checkImports(path: string, text: string): string[] {
  const from = placeOf(path);
  const isTest = /\.test\.tsx?$/.test(path);
  return importsOf(text).flatMap(({ specifier, line }) => {
    const objection = specifier.startsWith('.')
      ? objectionToFile(from, placeOf(posix.join(posix.dirname(path), specifier)), isTest)
      : objectionToPackage(from, specifier, isTest);
    return objection ? [`${path}:${line}: ${objection}`] : [];
  });
}

/** A room, one surface, `client`, `main`, or a folder beside src/. */
function placeOf(path: string): string {
  const [top = '', room = '', surface = ''] = path.split('/');
  if (top !== 'src') return top;
  return room === 'surfaces' ? `surfaces/${surface}` : room.replace(/\.(test\.)?ts$/, '');
}

function objectionToFile(from: string, to: string, isTest: boolean): string | null {
  if (from === to || ['test', 'bench', 'scripts'].includes(from)) return null;
  const no = `${nameOf(from)} may not import ${nameOf(to)}`;
  if (to === 'test' && isTest) return null;
  if (from === 'web') {
    const allowed = to === 'contract' || to === 'client';
    return allowed
      ? null
      : `${no}: the page knows contract/ and client.ts; make it an operation in contract/api.ts`;
  }
  if (besideSrc.includes(to)) return `${no}: what ships belongs in src/`;
  if (from === 'client') {
    return to === 'contract' ? null : `${no}: client.ts knows contract/ alone; have it handed in`;
  }
  const fromLayer = layerOf(from);
  if (to === 'client') {
    return fromLayer >= layerOf('surfaces')
      ? null
      : `${no}: it is for surfaces and the page; below them, call the operation itself`;
  }
  const toLayer = layerOf(to);
  if (fromLayer < 0 || toLayer < 0 || fromLayer > toLayer) return null;
  if (fromLayer < toLayer) {
    return `${no}: it is above; take what you need as an argument, or move it down into ${nameOf(from)}`;
  }
  return peers.includes(from)
    ? `${no}: have the hub pass the function in`
    : `${no}: what surfaces share belongs in hub/, and main.ts wires one into another`;
}

function objectionToPackage(from: string, specifier: string, isTest: boolean): string | null {
  const allowed = browserPackages[from];
  if (isTest || !allowed || allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`))) {
    return null;
  }
  return `${nameOf(from)} may not import ${specifier}: it also runs in the browser; what needs it belongs in platform/`;
}

function layerOf(place: string): number {
  const [room = ''] = place.split('/');
  return layers.findIndex((layer) => layer.includes(room));
}

function nameOf(place: string): string {
  return place === 'client' || tops.includes(place) ? `${place}.ts` : `${place}/`;
}

function checkLists(tree: Tree): string[] {
  return Object.keys(tree).flatMap((path) => {
    const folder = posix.dirname(path);
    const name = posix.basename(path);
    if (!folder.startsWith('src/')) return [];
    if (name === 'index.ts') {
      return isOnlyList(tree[path]!)
        ? []
        : [`${path}:1: an index.ts is only a list: move the code into a file`];
    }
    if (!implementations.test(folder) || /\.test\.ts$|-worker\.ts$/.test(name)) return [];
    const index = `${folder}/index.ts`;
    const listed = importsOf(tree[index] ?? '').some(
      ({ specifier }) => posix.join(folder, specifier) === path,
    );
    return listed ? [] : [`${path}:1: nobody can use it: add its line to ${index}`];
  });
}

/** Imports, re-exports, and at most one constant that is an array or an object without code in it. */
function isOnlyList(text: string): boolean {
  const rest = text
    .replace(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')
    .replace(/^(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"][^'"\n]+['"];?$/gm, '')
    .trim();
  if (rest === '') return true;
  return /^export const \w+(?:: [^=]+)? = [[{][^;]*;$/.test(rest) && !/=>\s*\{|\bfunction\b/.test(rest);
}
