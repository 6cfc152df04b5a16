/** The levels of MCP, from the least to the most severe. */
export const LOG_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const isBelow = (level: LogLevel, threshold: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold);
