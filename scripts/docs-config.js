import * as z from 'zod';
import { words } from './docs-config-words.js';
import { createShapeWriter, fieldsOf, isOptional, required } from './docs-shape.js';

/** @typedef {import('./docs-sources.js').Sources} Sources */
/** @typedef {{ path: string[], schema: z.ZodObject, many: boolean }} Section a table of the config; `*` is a name */

/**
 * Every section and key of the config, with what it means.
 * @param {Pick<Sources, 'Config' | 'VARIABLE_FIELDS' | 'SERVE_ONLY_SECTIONS' | 'noteSections' | 'shapes'>} sources
 */
export function renderConfig({ Config, VARIABLE_FIELDS, SERVE_ONLY_SECTIONS, noteSections, shapes }) {
  const write = createShapeWriter((schema) =>
    schema === shapes.ToolInputSchema ? 'JSON Schema' : undefined,
  );
  const said = new Set();
  const missing = /** @type {string[]} */ ([]);
  const sections = sectionsOf(Config, shapes.ToolInputSchema);
  const text = sections.map(renderSection).join('\n\n');

  const idle = Object.keys(words).filter((key) => !said.has(key));
  const complaints = [
    ...missing.map((path) => `${path} has no words`),
    ...idle.map((key) => `there are words for ${key}, which is no section or key`),
  ];
  if (complaints.length > 0) throw new Error(`scripts/docs-config-words.js: ${complaints.join('; ')}`);
  const variables = VARIABLE_FIELDS.map(
    (field) => `\`${field.replaceAll('.*', '.NAME').replace('.NAME*', '.…')}\``,
  );
  return [text, '## Where `${VAR}` is filled in', `${variables.join(', ')}.`].join('\n\n');

  /** @param {string} path */
  function wordsFor(path) {
    const key = [path, `*.${path.split('.').at(-1)}`].find((one) => one in words);
    if (key === undefined) missing.push(path);
    else said.add(key);
    return key === undefined ? '' : words[key];
  }

  /** @param {Section} section */
  function renderSection({ path, schema, many }) {
    const name = path.map((part) => (part === '*' ? 'NAME' : part)).join('.');
    const rows = fieldsOf(schema).flatMap(([key, field]) => {
      const below = [...path, key];
      const within = sections.find((section) => section.path.join('.') === below.join('.') && section.many);
      if (!within && sections.some((section) => isBelow(section.path, below))) return [];
      const type = within ? `tables, \`[[${name}.${key}]]\`` : write(field);
      const expands = type.includes('text') && VARIABLE_FIELDS.some((pattern) => covers(pattern, below));
      const must = isOptional(field) ? '' : ' (required)';
      return [
        `| \`${key}\`${must} | ${type} | ${wordsFor(below.join('.'))}${expands ? ' Takes `${VAR}`.' : ''} |`,
      ];
    });
    const isOpen = schema.def.catchall instanceof z.ZodUnknown;
    return [
      `## \`${many ? `[[${name}]]` : `[${name}]`}\``,
      [
        wordsFor(`[${path.join('.')}]`),
        ...remarks(path),
        ...(isOpen ? ['Other keys are its own, and reach it.'] : []),
      ].join(' '),
      ...(rows.length > 0 ? [['| key | type | |', '| --- | --- | --- |', ...rows].join('\n')] : []),
    ].join('\n\n');
  }

  /** @param {string[]} path */
  function remarks(path) {
    const [top = ''] = path;
    const sample = path.toReversed().reduce((inner, part) => ({ [part === '*' ? 'name' : part]: inner }), {});
    const { problems } = noteSections(sample, { serving: true });
    const idle = problems.some(({ code }) => code === 'not-available');
    return [
      ...(SERVE_ONLY_SECTIONS.some((section) => section === top)
        ? ['Counts only in the config that the hub was started with.']
        : []),
      ...(idle ? ['**No effect yet.**'] : []),
    ];
  }
}

/**
 * @param {z.core.$ZodType} schema
 * @param {z.core.$ZodType} value what counts as a value, though it is a table
 * @param {string[]} path
 * @returns {Section[]}
 */
function sectionsOf(schema, value, path = [], many = false) {
  const inner = required(schema);
  if (inner instanceof z.ZodRecord) return sectionsOf(inner.def.valueType, value, [...path, '*']);
  if (inner instanceof z.ZodArray) return sectionsOf(inner.def.element, value, path, true);
  if (!(inner instanceof z.ZodObject) || inner === value) return [];
  const { catchall } = inner.def;
  const others = catchall instanceof z.ZodObject ? sectionsOf(catchall, value, [...path, '*']) : [];
  const below = fieldsOf(inner)
    // `[agents.inline.NAME]` is `[agents.NAME]`.
    .filter(([, field]) => !isTableOf(field, catchall))
    .flatMap(([key, field]) => sectionsOf(field, value, [...path, key]));
  const own = fieldsOf(inner).some(([, field]) => sectionsOf(field, value).length === 0);
  return [...(own && path.length > 0 ? [{ path, schema: inner, many }] : []), ...others, ...below];
}

/** @param {z.core.$ZodType} field @param {z.core.$ZodType | undefined} value */
function isTableOf(field, value) {
  const inner = required(field);
  return inner instanceof z.ZodRecord && inner.def.valueType === value;
}

/** @param {string[]} path @param {string[]} start */
function isBelow(path, start) {
  return path.length > start.length && start.every((part, index) => part === path[index]);
}

/** Whether `${VAR}` is filled in at a key, or in what is below it. @param {string} pattern @param {string[]} path */
function covers(pattern, path) {
  const parts = pattern.split('.');
  const fixed = parts.at(-1) === '**' ? parts.slice(0, -1) : parts;
  const isOpen = fixed.length < parts.length;
  if (isOpen ? path.length <= fixed.length : path.length > fixed.length) return false;
  const below = path.length < fixed.length && fixed.slice(path.length).every((part) => part === '*');
  return (
    (below || isOpen || path.length === fixed.length) &&
    path.every((part, index) => (fixed[index] ?? part) === part)
  );
}
