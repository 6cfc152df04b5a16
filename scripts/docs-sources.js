import { api } from '../src/contract/api.ts';
import { Config, SERVE_ONLY_SECTIONS, VARIABLE_FIELDS } from '../src/contract/config.ts';
import { contractExports } from '../src/contract/table/named-schemas.ts';
import { noteSections } from '../src/platform/config/config-sections.ts';
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
  shapes: contractExports,
};

/** @typedef {typeof sources} Sources */
