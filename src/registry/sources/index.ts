import type { CreateFileSource } from '../file-source.ts';
import { createMarkdownSource } from './markdown.ts';
import { createTomlSource } from './toml.ts';

/** The sources that read the files of a folder. */
export const fileSources: readonly CreateFileSource[] = [createTomlSource, createMarkdownSource];
