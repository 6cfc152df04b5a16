import type { CreateFileSource } from '../file-source.ts';
import { createLuaSource } from './lua.ts';
import { createMarkdownSource } from './markdown.ts';
import { createTomlSource } from './toml.ts';
import { createTypescriptSource } from './typescript.ts';

/** The sources that read the files of a folder. */
export const fileSources: readonly CreateFileSource[] = [
  createTomlSource,
  createMarkdownSource,
  createLuaSource,
  createTypescriptSource,
];
