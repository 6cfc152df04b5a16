import type { Implements } from '../../contract/api.ts';
import type { CallContext } from '../../contract/call.ts';
import type { Diagnostic } from '../../contract/diagnostic.ts';
import { ZooError } from '../../contract/errors.ts';
import type { FoundAgent, FoundSkill } from '../../contract/operations/files.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { loadText } from '../../platform/files/text-file.ts';
import { formatOf } from '../../registry/agent-file/agent-format.ts';
import { readAgents, type ReadFile } from '../../registry/agent-file/read-agents.ts';
import { isSkillFile, parseSkillFile } from '../../registry/markdown/skill-file.ts';
import type { AgentDirectory } from './agent-directory.ts';

/** Agents in files: parsing files before an import, and reading the file of a served agent. */
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
      const skills: FoundSkill[] = [];
      const folders = files.filter(({ path }) => isSkillFile(path)).map(({ path }) => folderOf(path));
      for (const { path, text } of files) {
        if (isSkillFile(path)) {
          const skill = await parseSkillFile(text);
          if (skill) skills.push({ file: path, ...skill });
          else diagnostics.push(note(path, 'a skill needs a name and a description in its front matter'));
          continue;
        }
        if (folders.some((folder) => folder !== '' && path.startsWith(folder))) {
          diagnostics.push(note(path, 'belongs to the skill in its folder', BESIDE_SKILL));
          continue;
        }
        const read = await readHandedOver(path, text);
        diagnostics.push(...read.diagnostics);
        for (const { id, input } of read.agents) {
          agents.push({ file: path, id: id ?? null, input, taken: await takenBy(id, context) });
        }
      }
      return { agents, skills, diagnostics };
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

const BESIDE_SKILL =
  'To include references to these files, import the folder with: zoo agent import FOLDER --into AGENT';

const note = (file: string, message: string, hint: string | null = null): Diagnostic =>
  diagnose('note', 'not-an-agent', message, { file, hint });

/** With a trailing slash; empty for a file without a folder. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** The paths refer to the caller's disk; the hub reads nothing there. */
async function readHandedOver(path: string, text: string): Promise<ReadFile> {
  const refused = (message: string): ReadFile => ({ agents: [], diagnostics: [note(path, message)] });
  const format = formatOf(path);
  if (!format) return refused('not Markdown, TOML or JSON');
  const read = await readAgents(path, text, format);
  return read.agents.length + read.diagnostics.length === 0 ? refused('no agent found') : read;
}
