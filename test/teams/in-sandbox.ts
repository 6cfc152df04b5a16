import { bubblewrapProblem } from '../../scripts/bubblewrap.js';

const problem = bubblewrapProblem();

/** False where user namespaces are forbidden, as in some containers. */
export const works = problem === null;

/** For the titles of tests that need bubblewrap: says why they do not run. */
export const whyNot = problem === null ? '' : ` (not run: ${problem})`;
