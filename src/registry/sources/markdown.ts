import { basename, extname } from 'node:path';
import type { Agent } from '../../contract/agent.ts';
import { ZooError } from '../../contract/errors.ts';
import { diagnose } from '../../platform/config/diagnose.ts';
import { loadText } from '../../platform/files/text-file.ts';
import { completeDefinition } from '../definition.ts';
import { fileAgent, type FileLoaded, type FileSource, type FolderContent } from '../file-source.ts';
import { isSkillFile } from '../markdown/skill-file.ts';
import { parseMarkdownAgent } from '../markdown/markdown-agent.ts';

/** The number of files that are read concurrently. */
const AT_ONCE = 32;

/** Markdown files with front matter, as `.claude/agents` has them. */
export function createMarkdownSource({
  owner,
  markdown,
}: Pick<FolderContent, 'owner' | 'markdown'>): FileSource {
  return {
    kind: 'markdown',
    async load(): Promise<FileLoaded> {
      const loaded: FileLoaded = { agents: [], diagnostics: [], parsed: [], failed: [] };
      for (let start = 0; start < markdown.files.length; start += AT_ONCE) {
        const results = await Promise.all(markdown.files.slice(start, start + AT_ONCE).map(loadAgent));
        for (const { file, agent, failed, diagnostics } of results) {
          loaded.diagnostics.push(...diagnostics);
          if (agent) loaded.agents.push({ agent, owner, trusted: true });
          if (failed) loaded.failed.push({ file, agentId: null });
          else loaded.parsed.push(file);
        }
      }
      return loaded;
    },
  };
}

interface LoadedFile extends Pick<FileLoaded, 'diagnostics'> {
  file: string;
  agent: Agent | null;
  failed: boolean;
}

async function loadAgent(file: string): Promise<LoadedFile> {
  const hint = 'The agent is not served until this is fixed.';
  if (isSkillFile(file)) {
    const note = diagnose('note', 'not-an-agent', 'a skill, not an agent', {
      file,
      hint: 'Add it to an agent with `zoo agent import --into AGENT`.',
    });
    return { file, agent: null, failed: false, diagnostics: [note] };
  }
  const loaded = await loadText(file);
  if (!loaded.ok) {
    // Deleted since the folder was read; the watcher reports it.
    if (loaded.missing) return { file, agent: null, failed: false, diagnostics: [] };
    const diagnostic = diagnose('error', 'unreadable', `${basename(file)} ${loaded.why}`, { file, hint });
    return { file, agent: null, failed: true, diagnostics: [diagnostic] };
  }
  const parsed = await parseMarkdownAgent(loaded.text, file, basename(file, extname(file)));
  if (!parsed.ok) return { file, agent: null, failed: parsed.failed, diagnostics: parsed.diagnostics };
  const { id, input, diagnostics } = parsed;
  try {
    const definition = completeDefinition(input);
    const { createdAt, updatedAt } = loaded;
    const agent = fileAgent(definition, {
      id,
      source: 'markdown',
      origin: { path: file },
      createdAt,
      updatedAt,
    });
    return { file, agent, failed: false, diagnostics };
  } catch (error) {
    if (!(error instanceof ZooError)) throw error;
    const diagnostic = diagnose('error', 'invalid-value', error.message, {
      file,
      line: 1,
      hint,
      agentId: id,
    });
    return { file, agent: null, failed: true, diagnostics: [...diagnostics, diagnostic] };
  }
}
