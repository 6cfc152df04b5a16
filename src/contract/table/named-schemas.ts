import * as activity from '../activity.ts';
import * as agent from '../agent.ts';
import * as brain from '../brain.ts';
import * as diagnostic from '../diagnostic.ts';
import * as event from '../event.ts';
import * as groups from '../operations/index.ts';
import * as knowledge from '../knowledge.ts';
import * as parameters from '../parameters.ts';
import * as prompt from '../offers/prompt.ts';
import * as question from '../question.ts';
import * as resolved from '../resolved.ts';
import * as revision from '../revision.ts';
import * as run from '../run.ts';
import * as scope from '../scope.ts';
import * as team from '../team.ts';
import * as tool from '../tool.ts';
import * as workspace from '../workspace.ts';

const ofGroups = Object.fromEntries(Object.values(groups).flatMap((group) => Object.entries<unknown>(group)));

/** The named schemas of the contract. Generated documents define each of them once and refer to it. */
export const contractExports = {
  ...activity,
  ...agent,
  ...brain,
  ...diagnostic,
  ...event,
  ...knowledge,
  ...parameters,
  ...prompt,
  ...question,
  ...resolved,
  ...revision,
  ...run,
  ...scope,
  ...team,
  ...tool,
  ...workspace,
  ...ofGroups,
};
