import * as z from 'zod';

/**
 * How a schema is written down for people. `nameOf` gives what stands for a schema that has a name.
 * @param {(schema: z.core.$ZodType) => string | undefined} nameOf
 */
export function createShapeWriter(nameOf) {
  /** @param {z.core.$ZodType} schema @param {boolean} [expand] @returns {string} */
  function write(schema, expand = false) {
    const name = expand ? undefined : nameOf(schema);
    if (name !== undefined) return name;
    if (schema instanceof z.ZodOptional) return write(schema.def.innerType);
    if (schema instanceof z.ZodNullable) return `${write(schema.def.innerType)} or null`;
    if (schema instanceof z.ZodArray) return `list of ${write(schema.def.element)}`;
    if (schema instanceof z.ZodRecord) return `table of ${write(schema.def.valueType)}`;
    if (schema instanceof z.ZodEnum) return oneOf(schema.options);
    if (schema instanceof z.ZodLiteral) return oneOf([...schema.values]);
    if (schema instanceof z.ZodLazy) return write(schema.def.getter());
    if (schema instanceof z.ZodUnion) return schema.options.map((option) => write(option)).join(' or ');
    if (schema instanceof z.ZodObject) return writeObject(schema);
    if (schema instanceof z.ZodNumber) return writeNumber(schema);
    if (schema instanceof z.ZodISODate) return 'day such as 2026-11-15';
    if (schema instanceof z.ZodString) return 'text';
    if (schema instanceof z.ZodBoolean) return 'true or false';
    if (schema instanceof z.ZodNull) return 'null';
    if (schema instanceof z.ZodUnknown) return 'anything';
    throw new Error(`scripts/docs-shape.js does not know how to write ${schema._zod.def.type}`);
  }

  /** @param {z.ZodObject} schema */
  function writeObject(schema) {
    const fields = fieldsOf(schema);
    return `{ ${fields.map(([key, field]) => `${key}${isOptional(field) ? '?' : ''}: ${write(field)}`).join(', ')} }`;
  }

  return write;
}

/** @param {z.ZodObject} schema @returns {[string, z.core.$ZodType][]} */
export function fieldsOf(schema) {
  return Object.entries(schema.shape);
}

/** @param {z.core.$ZodType} schema */
export function isOptional(schema) {
  return schema instanceof z.ZodOptional;
}

/** @param {z.core.$ZodType} schema @returns {z.core.$ZodType} */
export function required(schema) {
  return schema instanceof z.ZodOptional ? required(schema.def.innerType) : schema;
}

/** @param {readonly unknown[]} values */
function oneOf(values) {
  const shown = values.map((value) => `\`${String(value)}\``);
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} or ${shown.at(-1)}` : String(shown[0]);
}

/** @param {z.ZodNumber} schema */
function writeNumber({ minValue, maxValue, isInt, def }) {
  const least = def.checks?.map((check) => check._zod.def).find((check) => check.check === 'greater_than');
  const exclusive = least && 'inclusive' in least && least.inclusive === false;
  const from = bound(minValue);
  const to = bound(maxValue);
  const range =
    from !== null && to !== null
      ? ` from ${from} to ${to}`
      : from !== null
        ? exclusive
          ? ` above ${from}`
          : ` from ${from}`
        : to !== null
          ? ` up to ${to}`
          : '';
  return `${isInt ? 'whole number' : 'number'}${range}`;
}

/** @param {number | null} value */
function bound(value) {
  return value === null || Math.abs(value) >= Number.MAX_SAFE_INTEGER ? null : value;
}
