import { isDeepStrictEqual } from 'node:util';
import { Agent } from '../../contract/agent.ts';
import type { Database, Row } from '../../platform/store/database.ts';
import { definitionOf } from '../definition.ts';
import type { FileLoaded } from '../file-source.ts';
import { type KeptProgram, type KeptPrograms, parseKeptProgram } from '../programs/kept-program.ts';

/** The last valid definition of every agent in a file, in memory and in the store for the next start. */
export interface LastGood extends KeptPrograms {
  recall(file: string): Agent[];
  /** Adds its creation and change times; saving the file without changing the agent does not count. */
  withTimes(agent: Agent): Agent;
  /** Records a load, and drops files that no longer exist. Writes asynchronously and never throws. */
  keep(loaded: readonly FileLoaded[], files: readonly string[]): void;
  /** Resolves when all pending writes have finished. */
  settled(): Promise<void>;
}

interface Known {
  agent: Agent;
  program: KeptProgram | null;
}

interface Change {
  file: string;
  id: string;
  /** Null to delete it. */
  known: Known | null;
}

const ROWS_AT_ONCE = 500;

export function createLastGood(database: Database): LastGood {
  const known = new Map<string, Map<string, Known>>();
  // Failed writes are retried with the next change.
  let unwritten: Change[] = [];
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const changes = unwritten;
    unwritten = [];
    if (changes.length === 0) return;
    try {
      await database.transaction(async (tx) => {
        for (const { file, id, known: entry } of changes) {
          await tx.run('DELETE FROM last_good WHERE file = ? AND agent_id = ?', [file, id]);
          if (!entry) continue;
          const { agent, program } = entry;
          await tx.run('INSERT INTO last_good (file, agent_id, definition, program) VALUES (?, ?, ?, ?)', [
            file,
            id,
            JSON.stringify(agent),
            program && JSON.stringify(program),
          ]);
        }
      });
    } catch {
      unwritten = [...changes, ...unwritten];
    }
  }

  return {
    async read(files) {
      const fresh = files.filter((file) => !known.has(file));
      // A file that was removed and restored must not find a version that is about to be deleted.
      if (fresh.length > 0) await writing;
      for (const file of fresh) known.set(file, new Map());
      for (let start = 0; start < fresh.length; start += ROWS_AT_ONCE) {
        const batch = fresh.slice(start, start + ROWS_AT_ONCE);
        const marks = batch.map(() => '?').join(', ');
        const rows = await database
          .all(`SELECT file, definition, program FROM last_good WHERE file IN (${marks})`, batch)
          .catch((): Row[] => []);
        for (const row of rows) {
          const agent = parseAgent(String(row.definition));
          const program = parseKeptProgram(row.program);
          if (agent) known.get(String(row.file))?.set(agent.id, { agent, program });
        }
      }
    },

    recall: (file) => [...(known.get(file)?.values() ?? [])].map(({ agent }) => agent),

    recallProgram: (file, id) => known.get(file)?.get(id)?.program ?? null,

    withTimes(agent) {
      const earlier = known.get(agent.origin?.path ?? '')?.get(agent.id)?.agent;
      if (!earlier || !isDeepStrictEqual(definitionOf(earlier), definitionOf(agent))) return agent;
      return { ...agent, createdAt: earlier.createdAt, updatedAt: earlier.updatedAt };
    },

    keep(loaded, files) {
      const change = (file: string, id: string, entry: Known | null) => {
        const agents = known.get(file) ?? new Map<string, Known>();
        if (entry) known.set(file, agents.set(id, entry));
        else agents.delete(id);
        unwritten.push({ file, id, known: entry });
      };
      for (const { agents, parsed, failed } of loaded) {
        for (const { agent, trusted, program: { kept = null } = {} } of agents) {
          // A placeholder for an unapproved program is not a good version.
          if (!trusted) continue;
          const file = agent.origin?.path;
          if (file === undefined) continue;
          const earlier = known.get(file)?.get(agent.id);
          const same = earlier && isDeepStrictEqual(definitionOf(earlier.agent), definitionOf(agent));
          if (same && isDeepStrictEqual(earlier.program, kept)) continue;
          change(file, agent.id, { agent: same ? earlier.agent : agent, program: kept });
        }
        const present = new Set([
          ...agents.map(({ agent }) => keyOf(agent.origin?.path ?? '', agent.id)),
          ...failed.map(({ file, agentId }) => keyOf(file, agentId ?? '')),
        ]);
        for (const file of parsed) {
          for (const id of known.get(file)?.keys() ?? []) {
            if (!present.has(keyOf(file, id))) change(file, id, null);
          }
        }
      }
      const there = new Set(files);
      for (const [file, agents] of known) {
        if (there.has(file)) continue;
        for (const id of agents.keys()) change(file, id, null);
        known.delete(file);
      }
      if (unwritten.length > 0) writing = writing.then(write);
    },

    settled: () => writing,
  };
}

const keyOf = (file: string, id: string) => `${file}\0${id}`;

function parseAgent(json: string): Agent | null {
  try {
    return Agent.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}
