/** JSON without the Markdown fence that models like to put around it. */
export const withoutFence = (text: string): string =>
  /^\s*```(?:json)?\s*\n([\s\S]*?)\n\s*```\s*$/.exec(text)?.[1] ?? text;
