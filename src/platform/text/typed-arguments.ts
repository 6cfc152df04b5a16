import { ZooError } from '../../contract/errors.ts';

interface TypedSchema {
  properties?: Readonly<Record<string, { type?: unknown }>> | undefined;
}

/** Arguments as somebody types them: JSON, `name=value` pairs, or one value for the first parameter. */
export function typedArguments(text: string, { properties = {} }: TypedSchema): Record<string, unknown> {
  const input = text.trim();
  if (input === '') return {};
  if (input.startsWith('{')) return parseObject(input);
  const names = Object.keys(properties);
  const pairs = [...input.matchAll(/([\w-]+)=(?:"([^"]*)"|(\S+))/g)].filter(([, name = '']) =>
    names.includes(name),
  );
  if (pairs.length > 0) {
    return Object.fromEntries(
      pairs.map(([, name = '', quoted, plain = '']) => [name, valueOf(quoted ?? plain, properties[name])]),
    );
  }
  const [first = 'input'] = names;
  return { [first]: valueOf(input, properties[first]) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
  } catch {
    throw new ZooError('invalid_arguments', 'The arguments are not valid JSON.');
  }
}

function valueOf(text: string, schema: { type?: unknown } | undefined): unknown {
  if (!schema || schema.type === 'string') return text;
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
