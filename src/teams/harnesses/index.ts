export { createAcpHarness } from './acp.ts';
