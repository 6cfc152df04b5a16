import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import type { FoundAgent } from '../../contract/operations/files.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { loadText } from '../../platform/files/text-file.ts';
import { formatOf } from '../../registry/agent-file/agent-format.ts';
import { readAgents, type ReadFile } from '../../registry/agent-file/read-agents.ts';
import { isSkillFile } from '../../registry/markdown/skill-file.ts';
import type { AgentDirectory } from './agent-directory.ts';

/** Agents in files: those that somebody hands over to import, and the file of one that is served. */
export function implementFiles(directory: AgentDirectory): Implements<'files'> {
  async function takenBy(id: string | undefined, context: CallContext): Promise<FoundAgent['taken']> {
    if (id === undefined) return null;
    if (await directory.store.get(id)) return 'editor';
    if (await directory.store.knows(id)) return 'deleted';
    return (await directory.view(context.workspace)).merged().byId.has(id) ? 'file' : null;
  }

  return {
    async readAgentFiles({ body: { files } }, context) {
      const agents: FoundAgent[] = [];
      const diagnostics: Diagnostic[] = [];
      for (const { path, text } of files) {
        const read = await readHandedOver(path, text);
        diagnostics.push(...read.diagnostics);
        for (const { id, input } of read.agents) {
          agents.push({ file: path, id: id ?? null, input, taken: await takenBy(id, context) });
        }
      }
      return { agents, diagnostics };
    },

    async getAgentSource({ id }, context) {
      const { agent } = await directory.find(id, context);
      const { origin, source } = agent;
      if (origin === null) {
        throw new ZooError('invalid_arguments', `Agent '${id}' is in the editor and has no file.`);
      }
      const file = await loadText(origin.path);
      if (!file.ok) throw new ZooError('invalid_arguments', `${origin.path} ${file.why}.`);
      return { source, origin, text: file.text };
    },
  };
}

/** The paths name files on somebody's disk, not ours: nothing is read there. */
async function readHandedOver(path: string, text: string): Promise<ReadFile> {
  const refused = (message: string, hint: string | null = null): ReadFile => ({
    agents: [],
    diagnostics: [diagnose('note', 'not-an-agent', message, { file: path, hint })],
  });
  const format = formatOf(path);
  if (!format) return refused('not Markdown, TOML or JSON');
  if (isSkillFile(path)) {
    return refused('a skill, not an agent', `Add it to an agent: zoo agent import ${path} --into AGENT`);
  }
  const read = await readAgents(path, text, format);
  return read.agents.length + read.diagnostics.length === 0 ? refused('no agent found') : read;
}
