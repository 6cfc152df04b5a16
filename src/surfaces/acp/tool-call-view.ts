import { isAbsolute, resolve } from 'node:path';
import type {
  ContentBlock as EditorContent,
  ToolCallContent,
  ToolCallLocation,
  ToolKind,
} from '@agentclientprotocol/sdk';
import type { ContentBlock } from '../../contract/tool.ts';

/** By words in the tool's name; the first match counts. */
const KINDS: readonly (readonly [RegExp, ToolKind])[] = [
  [/^(bash|shell|exec|execute|run|terminal|command)$/, 'execute'],
  [/^(todo|todos|plan|think)$/, 'think'],
  [/^(delete|remove|rm|drop)$/, 'delete'],
  [/^(move|rename|mv)$/, 'move'],
  [/^(write|edit|update|create|set|insert|patch|replace|add)$/, 'edit'],
  [/^(search|find|query|grep|glob)$/, 'search'],
  [/^(fetch|http|download|browse)$/, 'fetch'],
  [/^(read|get|list|show|sources|view|inspect)$/, 'read'],
];

export interface ToolCallView {
  title: string;
  kind: ToolKind;
  locations: ToolCallLocation[];
  content: ToolCallContent[];
}

/** A tool call as an editor shows it: what it does, to which files, and with which changes. */
export function viewToolCall(name: string, input: unknown, cwd: string): ToolCallView {
  const args = fieldsOf(input);
  const paths = pathsIn(args).map((path) => (isAbsolute(path) ? path : resolve(cwd, path)));
  const line = ['line', 'offset'].map((key) => args[key]).find((value) => typeof value === 'number');
  const [first] = paths;
  const about = textOf(args['command']) ?? first ?? textOf(args['query']);
  return {
    title: about === undefined ? name : `${name}: ${firstLine(about)}`,
    kind: kindOf(name),
    locations: paths.map((path) => ({ path, ...(typeof line === 'number' ? { line } : {}) })),
    content: first === undefined ? [] : diffOf(first, args),
  };
}

function kindOf(name: string): ToolKind {
  const words = name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z]+/);
  return KINDS.find(([word]) => words.some((each) => word.test(each)))?.[1] ?? 'other';
}

function pathsIn(args: Readonly<Record<string, unknown>>): string[] {
  return ['file_path', 'path', 'filePath', 'file', 'filename', 'paths', 'files'].flatMap((key) =>
    [args[key]].flat().filter((value): value is string => typeof value === 'string' && value !== ''),
  );
}

/** The arguments with which models write files: a whole text, or a replacement. */
function diffOf(path: string, args: Readonly<Record<string, unknown>>): ToolCallContent[] {
  const replaced = textOf(args['old_string']) ?? textOf(args['oldText']);
  const written = textOf(args['new_string']) ?? textOf(args['newText']) ?? textOf(args['content']);
  if (written === undefined) return [];
  return [{ type: 'diff', path, oldText: replaced ?? null, newText: written }];
}

/** The result of a tool, as content for the editor. */
export function resultContent(content: readonly ContentBlock[]): ToolCallContent[] {
  return content.map((block) => ({ type: 'content', content: toEditor(block) }));
}

function toEditor(block: ContentBlock): EditorContent {
  if (block.type === 'resource_link') {
    const { uri, name, title = null, description = null, mimeType = null } = block;
    return { type: 'resource_link', uri, name, title, description, mimeType };
  }
  if (block.type !== 'resource') {
    const { annotations: _, ...rest } = block;
    return rest;
  }
  const { uri, mimeType = null } = block.resource;
  const content = 'text' in block.resource ? { text: block.resource.text } : { blob: block.resource.blob };
  return { type: 'resource', resource: { uri, mimeType, ...content } };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const firstLine = (text: string): string => {
  const [line = ''] = text.split('\n', 1);
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
};

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
