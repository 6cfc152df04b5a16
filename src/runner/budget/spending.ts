import { ZooError } from '../../contract/errors.ts';
import type { Database } from '../../platform/store/database.ts';
import { createBatchWriter } from '../../platform/store/batch-writer.ts';
import { type Amount, type BudgetLimit, renderAmount, type Reservation } from './budget.ts';

export interface DayLimits {
  agentDay: BudgetLimit;
  hubDay: BudgetLimit;
}

/** Daily spending per agent, in local time. Reserved before a request, recorded after it. */
export interface Spending {
  /** Throws `budget_exceeded`. */
  reserve(agentId: string, estimate: Amount, limits: DayLimits): Promise<Reservation>;
  today(): Promise<{ day: string; agents: { agentId: string; tokens: number; usd: number }[] }>;
  /** Resolves once everything that was settled is written, or could not be. */
  flush(): Promise<void>;
  /** Tries once more to write everything. */
  close(): Promise<void>;
}

/** `day` is null until it is spent. */
type Entry = Amount & { agentId: string; day: string | null };
type Spent = Entry & { key: symbol; day: string };

/** Its run flushes it earlier, so that it shares the commit of the answer that it was spent on. */
const FLUSH_MS = 20;
const WRITTEN_AT_ONCE = 100;
/** While the store cannot be written, amounts beyond this number are lost, oldest first. */
const MOST_WAITING = 100_000;

export function createSpending(
  db: Database,
  now: () => Date,
  onError: (message: string, error: unknown) => void,
): Spending {
  /** Reserved, or spent and not written yet. */
  const reserved = new Map<symbol, Entry>();
  const writer = createBatchWriter<Spent>({
    what: 'requests to models',
    async write(spent) {
      await db.write(
        spent.map(({ day, agentId, tokens, usd }) => ({
          sql: `INSERT INTO spending (day, agent_id, tokens, usd) VALUES (?, ?, ?, ?)
            ON CONFLICT (day, agent_id) DO UPDATE SET tokens = tokens + excluded.tokens, usd = usd + excluded.usd`,
          params: [day, agentId, tokens, usd],
        })),
      );
      for (const { key } of spent) reserved.delete(key);
    },
    flushMs: FLUSH_MS,
    flushAt: WRITTEN_AT_ONCE,
    mostWaiting: MOST_WAITING,
    onError,
  });

  /** A single query, because it runs before every request to a model. */
  async function sumsOfToday(agentId: string): Promise<{ ofAgent: Amount; ofHub: Amount }> {
    const row = await db.one(
      `SELECT SUM(tokens) AS tokens, SUM(usd) AS usd, SUM(CASE WHEN agent_id = ?1 THEN tokens END) AS own_tokens,
         SUM(CASE WHEN agent_id = ?1 THEN usd END) AS own_usd FROM spending WHERE day = ?2`,
      [agentId, dayOf(now())],
    );
    return {
      ofAgent: { tokens: Number(row?.own_tokens ?? 0), usd: Number(row?.own_usd ?? 0) },
      ofHub: { tokens: Number(row?.tokens ?? 0), usd: Number(row?.usd ?? 0) },
    };
  }

  async function spentToday(): Promise<(Amount & { agentId: string })[]> {
    const rows = await db.all('SELECT agent_id, tokens, usd FROM spending WHERE day = ?', [dayOf(now())]);
    return rows.map((row) => ({
      agentId: String(row.agent_id),
      tokens: Number(row.tokens),
      usd: Number(row.usd),
    }));
  }

  /** Throws `budget_exceeded`. Checks and reserves in the same tick: others may ask at the same time. */
  async function take(agentId: string, estimate: Amount, { agentDay, hubDay }: DayLimits): Promise<symbol> {
    // An amount that is written meanwhile is counted twice and checked again, rather than missed.
    const before = [...reserved];
    const { ofAgent, ofHub } = await sumsOfToday(agentId);
    const today = dayOf(now());
    const known = [...new Map([...before, ...reserved]).values()];
    const open = known.filter(({ day }) => day === null || day === today);
    const ownOpen = open.filter((one) => one.agentId === agentId);
    check([ofAgent, ...ownOpen], estimate, agentDay, `agent '${agentId}'`, 'agent_day');
    check([ofHub, ...open], estimate, hubDay, 'this hub', 'hub_day');
    const key = Symbol(agentId);
    reserved.set(key, { day: null, agentId, ...estimate });
    return key;
  }

  return {
    async reserve(agentId, estimate, limits) {
      const key = await take(agentId, estimate, limits).catch(async () => {
        // A write can be in the store and still in `reserved`, and was then counted twice.
        await writer.flush();
        return take(agentId, estimate, limits);
      });
      let settled = false;
      return {
        settle(used) {
          if (settled) return;
          settled = true;
          if (used.tokens === 0 && used.usd === 0) {
            reserved.delete(key);
            return;
          }
          // Counted in memory until it is written, so that the next request does not wait for the write.
          const spent: Spent = { key, day: dayOf(now()), agentId, ...used };
          reserved.set(key, spent);
          writer.add(spent);
        },
      };
    },
    async today() {
      await writer.flush();
      return { day: dayOf(now()), agents: await spentToday() };
    },
    flush: writer.flush,
    close: writer.close,
  };
}

function check(
  spent: readonly Amount[],
  estimate: Amount,
  limit: BudgetLimit,
  whose: string,
  key: 'agent_day' | 'hub_day',
): void {
  for (const kind of ['tokens', 'usd'] as const) {
    const most = limit[kind];
    const sum = spent.reduce((total, one) => total + one[kind], 0);
    if (most === undefined || sum + estimate[kind] <= most) continue;
    const text = (amount: number) => renderAmount(kind, amount);
    throw new ZooError(
      'budget_exceeded',
      `The next request (up to ${text(estimate[kind])}) would exceed today's budget of ${whose} (${text(most)}; ${text(sum)} spent or reserved). It resets at midnight; raise it with [budget] ${key}.`,
      { kind, limit: most, spent: sum },
    );
  }
}

/** `2026-11-15`, where the user is. */
function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
