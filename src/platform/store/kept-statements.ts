import type { DatabaseSync, StatementSyncInstance } from '@photostructure/sqlite';

const KEPT_STATEMENTS = 200;

/** A bounded cache of prepared statements of one connection. */
export interface KeptStatements {
  prepare(sql: string): StatementSyncInstance;
  forget(): void;
}

export function keepStatements(database: InstanceType<typeof DatabaseSync>): KeptStatements {
  const statements = new Map<string, StatementSyncInstance>();
  return {
    prepare(sql) {
      const known = statements.get(sql);
      if (known) return known;
      if (statements.size >= KEPT_STATEMENTS) statements.clear();
      const statement = database.prepare(sql);
      statements.set(sql, statement);
      return statement;
    },
    forget: () => statements.clear(),
  };
}
