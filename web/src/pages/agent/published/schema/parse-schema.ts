import type { ToolInputSchema } from '../../../../../../src/contract/parameters.ts';

export type ParsedSchema = { schema: ToolInputSchema } | { problem: string };

/**
 * Reads a JSON Schema that somebody typed, by the schema of the contract. That brings a schema library along, so it is
 * loaded by whoever opens the JSON, and no one else.
 */
export async function parseSchema(text: string): Promise<ParsedSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `Invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  const { parse, ToolInputSchema: shape } = await loadContract();
  try {
    return { schema: parse(shape, value) };
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
}

export async function loadContract() {
  const [{ config }, { ToolInputSchema: shape }, { parse }] = await Promise.all([
    import('zod'),
    import('../../../../../../src/contract/parameters.ts'),
    import('../../../../../../src/contract/parsing/parse.ts'),
  ]);
  // The policy of the page forbids code from strings; without this, the library would try it once.
  config({ jitless: true });
  return { ToolInputSchema: shape, parse };
}
