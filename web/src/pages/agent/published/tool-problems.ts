import type { PublishedTool } from '../../../../../src/contract/agent.ts';
import type { JsonSchemaDefinition } from '../../../../../src/contract/parameters.ts';
import {
  duplicateNameProblems,
  publishedToolProblems,
  type ToolProblem,
} from '../../../../../src/contract/published/check-published-tool.ts';

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Problems that would make the hub reject the tool, checked while typing. */
export function problemsOf(tool: PublishedTool, all: readonly PublishedTool[]): ToolProblem[] {
  const index = all.findIndex(({ id }) => id === tool.id);
  return [
    ...(NAME.test(tool.name)
      ? []
      : [{ path: ['name'], message: 'must be 1 to 64 letters, digits, `_` or `-`' }]),
    ...duplicateNameProblems(all)
      .filter(({ path }) => path[0] === index)
      .map(({ message }) => ({ path: ['name'], message })),
    ...publishedToolProblems(tool),
    ...emptyChoices(tool.parameters, ['parameters']),
    ...(tool.output ? emptyChoices(tool.output, ['output']) : []),
  ];
}

function emptyChoices(schema: JsonSchemaDefinition, path: (string | number)[]): ToolProblem[] {
  if (schema.type === 'object') {
    return Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      emptyChoices(each, [...path, 'properties', name]),
    );
  }
  if (schema.type === 'array') {
    return [schema.items].flat().flatMap((each) => emptyChoices(each, [...path, 'items']));
  }
  return schema.type === 'string' && schema.enum?.length === 0
    ? [{ path: [...path, 'enum'], message: 'needs at least one value to choose from' }]
    : [];
}

/** "cabin, default": where in the parameters a problem is. */
export function placeOf({ path }: ToolProblem): string {
  return path
    .filter((part) => !['parameters', 'output', 'properties', 'items'].includes(String(part)))
    .join(', ');
}
