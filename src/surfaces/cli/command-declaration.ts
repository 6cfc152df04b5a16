import type { Command } from 'commander';
import type { Invocation } from './invocation.ts';

export type GlobalOption = 'json' | 'workspace' | 'config';

/** Called when a command runs, once the options are parsed. Global options that it would ignore are refused. */
export type Start = (ignored?: readonly GlobalOption[]) => Invocation;

/** Adds a top-level command; `fill` runs only if the command line needs its details. */
export type Declare = (words: string, description: string, fill: (command: Command) => void) => void;
