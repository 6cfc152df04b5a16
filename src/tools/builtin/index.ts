export { agentTools } from './agents.ts';
export { brainTools } from './brain.ts';
export { editingTools } from './editing.ts';
export { knowledgeTools } from './knowledge.ts';
export { agentEditingTools } from './agent-editing.ts';
