import { whereIn } from '../../../platform/config-edits/config-file.ts';
import type { BrokenConfig } from '../../../platform/config-edits/format.ts';
import { Failure } from './failure.ts';

/** The error for a file that the user has to fix. */
export function brokenFailure(file: string, error: BrokenConfig): Failure {
  return new Failure(`${whereIn(file, error)}: ${error.message}`, {
    code: 'broken_config',
    hints: ['nothing was changed: fix the file, then try again'],
  });
}
