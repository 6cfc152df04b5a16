import * as agent from '../src/contract/agent.ts';
import { api } from '../src/contract/api.ts';
import * as brain from '../src/contract/brain.ts';
import { Config, SERVE_ONLY_SECTIONS, VARIABLE_FIELDS } from '../src/contract/config.ts';
import * as diagnostic from '../src/contract/diagnostic.ts';
import * as event from '../src/contract/event.ts';
import * as hub from '../src/contract/operations/hub.ts';
import * as parameters from '../src/contract/parameters.ts';
import * as resolved from '../src/contract/resolved.ts';
import * as revision from '../src/contract/revision.ts';
import * as tool from '../src/contract/tool.ts';
import * as workspace from '../src/contract/workspace.ts';
import { noteSections } from '../src/platform/config-sections.ts';
import { createProgram } from '../src/surfaces/cli/program.ts';
import { ERROR_FORMS } from '../src/surfaces/http/error-reply.ts';

/** What the documentation is made from. Never run as it is: scripts/docs.js bundles it. */
export const sources = {
  api,
  Config,
  createProgram,
  ERROR_FORMS,
  noteSections,
  SERVE_ONLY_SECTIONS,
  VARIABLE_FIELDS,
  shapes: {
    ...agent,
    ...brain,
    ...diagnostic,
    ...event,
    ...hub,
    ...parameters,
    ...resolved,
    ...revision,
    ...tool,
    ...workspace,
  },
};

/** @typedef {typeof sources} Sources */
