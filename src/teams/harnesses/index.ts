export { createAcpHarness } from './acp.ts';
export { createClaudePrintHarness } from './print-mode/claude.ts';
export { createCursorPrintHarness } from './print-mode/cursor.ts';
