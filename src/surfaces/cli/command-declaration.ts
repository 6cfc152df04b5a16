import type { Command } from 'commander';
import type { Invocation } from './invocation.ts';

/** Called when a command begins, once the options are known. */
export type Start = () => Invocation;

/** Adds a command of the first level; what it consists of is filled in only if somebody is going to look. */
export type Declare = (words: string, description: string, fill: (command: Command) => void) => void;
