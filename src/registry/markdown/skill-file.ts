import { readdir } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { parseFrontMatter } from '../../platform/files/front-matter.ts';

/** A skill in the form of `SKILL.md`, with the files beside it. */
export interface SkillFile {
  name: string;
  /** The instructions for the agent: when and how to use the skill, and where its files are. */
  description: string;
  allowedTools: string[];
}

export const isSkillFile = (file: string): boolean => /^skill\.md$/i.test(basename(file));

const MOST_FILES = 100;

/** Null for a text without a name or description. */
export async function parseSkillFile(text: string): Promise<SkillFile | null> {
  const front = await parseFrontMatter(text);
  if (front.kind !== 'found') return null;
  const field = (name: string): unknown => front.fields.find(({ key }) => key === name)?.value;
  const [name, description, allowed] = [field('name'), field('description'), field('allowed-tools')];
  if (typeof name !== 'string' || typeof description !== 'string') return null;
  const sections = [description.trim(), front.body.replaceAll('\r\n', '\n').trim()];
  return {
    name,
    description: sections.filter((section) => section !== '').join('\n\n'),
    allowedTools: toolsOf(allowed),
  };
}

/** Includes the files next to it, which the instructions list. */
export async function readSkillFile(file: string, text: string): Promise<SkillFile | null> {
  const skill = await parseSkillFile(text);
  const folder = dirname(file);
  const files = skill ? await filesBeside(folder) : [];
  if (!skill || files.length === 0) return skill;
  const list = files.map((one) => `- ${one}`).join('\n');
  return { ...skill, description: `${skill.description}\n\nFiles of this skill, in ${folder}:\n${list}` };
}

/** `Read, Bash(git diff:*, git log:*)`: commas inside parentheses do not separate. Always a single pass. */
export function splitToolList(list: string): string[] {
  const words = [''];
  let inside = false;
  for (const character of list) {
    inside = character === '(' || (inside && character !== ')');
    if (character === ',' && !inside) words.push('');
    else words[words.length - 1] += character;
  }
  return words.map((word) => word.trim()).filter((word) => word !== '');
}

function toolsOf(allowed: unknown): string[] {
  if (typeof allowed === 'string') return splitToolList(allowed);
  return Array.isArray(allowed) ? allowed.filter((one): one is string => typeof one === 'string') : [];
}

async function filesBeside(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !isSkillFile(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((path) => !path.split('/').some((part) => part.startsWith('.') || part === 'node_modules'))
    .toSorted()
    .slice(0, MOST_FILES);
}
