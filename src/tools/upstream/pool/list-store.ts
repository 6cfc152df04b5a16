import * as z from 'zod';
import type { Database, Row } from '../../../platform/store/database.ts';
import { readStored } from '../../../platform/store/stored-json.ts';
import type { Era, ServerLists } from '../connection/link.ts';

const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Lists and facts from the last connection to a server. */
export interface Known {
  lists: ServerLists;
  era: Era;
  /** Whether it asks questions during calls. */
  asks: boolean;
  title: string | null;
  at: number;
}

/** The last known lists of each server, by the hash of its launch, so that listing needs no running server. */
export interface ListStore {
  load(hash: string): Promise<Known | null>;
  save(hash: string, known: Known): Promise<void>;
}

// Written by the hub itself, from lists that the SDK has validated.
const Stored = z.custom<ServerLists>((value) => typeof value === 'object' && value !== null);

export function createListStore(db: Database): ListStore {
  return {
    async load(hash) {
      const row = await db.one('SELECT * FROM upstream_lists WHERE hash = ?', [hash]);
      return row ? toKnown(row) : null;
    },
    async save(hash, { lists, era, asks, title, at }) {
      const values = [JSON.stringify(lists), era, asks ? 1 : 0, title, new Date(at).toISOString()];
      await db.transaction(async (tx) => {
        await tx.run('DELETE FROM upstream_lists WHERE hash = ? OR at < ?', [
          hash,
          new Date(at - KEPT_MS).toISOString(),
        ]);
        await tx.run(
          'INSERT INTO upstream_lists (hash, lists, era, asks, title, at) VALUES (?, ?, ?, ?, ?, ?)',
          [hash, ...values],
        );
      });
    },
  };
}

function toKnown(row: Row): Known {
  return {
    lists: readStored(Stored, row.lists),
    era: row.era === 'modern' ? 'modern' : 'legacy',
    asks: row.asks === 1,
    title: row.title === null || row.title === undefined ? null : String(row.title),
    at: Date.parse(String(row.at)),
  };
}
