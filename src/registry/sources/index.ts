import type { CreateDataSource, CreateFileSource } from '../file-source.ts';
import { createLuaSource } from './lua.ts';
import { createMarkdownSource } from './markdown.ts';
import { createTomlSource } from './toml.ts';
import { createTypescriptSource } from './typescript.ts';

/** Sources of agents that are data: read before anything is trusted. */
export const dataSources: readonly CreateDataSource[] = [createTomlSource, createMarkdownSource];

/** Sources of agents that run code. Data wins over them. */
export const programSources: readonly CreateFileSource[] = [createLuaSource, createTypescriptSource];
