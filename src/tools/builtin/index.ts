export { agentTools } from './agents.ts';
