import type { WebClient } from './web-client.ts';

interface Rule {
  allow: boolean;
  pattern: string;
}

/** What `robots.txt` of each host lets us read. */
export interface Robots {
  allows(url: URL, signal: AbortSignal): Promise<boolean>;
}

const OWN_NAME = 'agent-zoo';

export function createRobots(client: WebClient): Robots {
  const byOrigin = new Map<string, Promise<Rule[]>>();

  async function load(origin: string, signal: AbortSignal): Promise<Rule[]> {
    try {
      const { status, body } = await client.get(new URL('/robots.txt', origin), signal);
      return status === 200 ? parseRobots(new TextDecoder().decode(body), OWN_NAME) : [];
    } catch {
      signal.throwIfAborted();
      // A host that cannot be reached says so with the page itself.
      return [];
    }
  }

  return {
    async allows(url, signal) {
      let rules = byOrigin.get(url.origin);
      if (!rules) {
        rules = load(url.origin, signal);
        byOrigin.set(url.origin, rules);
      }
      return isAllowed(await rules, url.pathname + url.search);
    },
  };
}

/** The rules for a name, or those for everybody where it is not named. */
export function parseRobots(text: string, name: string): Rule[] {
  const groups: { agents: string[]; rules: Rule[] }[] = [];
  let open = false;
  for (const line of text.split(/\r?\n/)) {
    const [, key = '', value = ''] = /^\s*([A-Za-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/.exec(line) ?? [];
    const field = key.toLowerCase();
    if (field === 'user-agent') {
      if (!open) groups.push({ agents: [], rules: [] });
      groups.at(-1)?.agents.push(value.toLowerCase());
      open = true;
    } else if (field === 'allow' || field === 'disallow') {
      if (value !== '') groups.at(-1)?.rules.push({ allow: field === 'allow', pattern: value });
      open = false;
    }
  }
  const named = groups.filter(({ agents }) =>
    agents.some((agent) => agent !== '*' && name.startsWith(agent)),
  );
  return (named.length > 0 ? named : groups.filter(({ agents }) => agents.includes('*'))).flatMap(
    ({ rules }) => rules,
  );
}

/** The longest rule that fits decides, and of equals the one that allows. */
export function isAllowed(rules: readonly Rule[], path: string): boolean {
  let best: Rule | null = null;
  for (const rule of rules) {
    if (!matcher(rule.pattern).test(path)) continue;
    const longer = rule.pattern.length - (best?.pattern.length ?? -1);
    if (longer > 0 || (longer === 0 && rule.allow)) best = rule;
  }
  return best?.allow ?? true;
}

function matcher(pattern: string): RegExp {
  const end = pattern.endsWith('$') ? '$' : '';
  const escaped = pattern
    .slice(0, pattern.length - end.length)
    .split(/\*+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}${end}`);
}
