import type { NewMember } from '../../src/contract/team.ts';

export interface Random {
  below(most: number): number;
  pick<T>(from: readonly T[]): T;
}

/** The same numbers for the same seed. */
export function randomFrom(seed: number): Random {
  let state = seed * 2654435761;
  const below = (most: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2246822519) + 374761393) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * most);
  };
  return {
    below,
    pick(from) {
      const found = from[below(from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
  };
}

type Placed = Pick<NewMember, 'name' | 'parent'>;

/** A tree of 3 to 12 members on up to three levels below the root. */
export function randomTeam(random: Random): NewMember[] {
  const members: NewMember[] = [{ name: 'm0', harness: 'fake', task: 'Get ready.' }];
  const depth = new Map([['m0', 0]]);
  const size = 3 + random.below(10);
  while (members.length < size) {
    const parent = random.pick(members.filter(({ name }) => (depth.get(name) ?? 0) < 3)).name;
    const name = `m${members.length}`;
    depth.set(name, (depth.get(parent) ?? 0) + 1);
    members.push({ name, harness: 'fake', parent, task: 'Get ready.' });
  }
  return members;
}

let count = 0;
const call = (tool: string, args: object): string => `!${tool} ${JSON.stringify(args)}`;

/**
 * What the member is told to do: pauses, messages, questions, broadcasts, looks into its inbox, subagents, processes
 * of its own, and crashes, most of which happen once. `folder` holds the marks of those that have happened.
 */
export function randomWork(random: Random, name: string, members: readonly Placed[], folder: string): string {
  const reachable = reachableFrom(name, members);
  const lines = Array.from({ length: 1 + random.below(4) }, () => {
    const recipient = random.pick(reachable);
    const number = ++count;
    switch (random.below(16)) {
      case 0:
        return random.below(4) === 0 ? '!crash' : `!stumble ${folder}/stumbled-${number}`;
      case 1:
        return '!fork';
      case 2: {
        const report = call('send_message', { recipient: name, text: `report ${number}`, sync: false });
        const end = random.below(2) === 0 ? '' : `\n${call('complete', { result: `result ${number}` })}`;
        return call('spawn_agent', { name: `s${number}`, instructions: `${report}${end}` });
      }
      case 3:
      case 4:
        return `!sleep ${random.below(150)}`;
      case 5:
      case 6:
      case 7:
        return call('send_message', { recipient, text: `note ${number}`, sync: false });
      case 8:
      case 9:
      case 10: {
        const reply = call('send_message', { recipient: name, text: `answer ${number}`, sync: false });
        return call('send_message', { recipient, text: `question ${number}\n${reply}` });
      }
      case 11:
      case 12:
        return call('broadcast', { text: `to all ${number}` });
      default:
        return '!check_inbox';
    }
  });
  return lines.join('\n');
}

function reachableFrom(name: string, members: readonly Placed[]): string[] {
  const parentOf = (of: string): string | undefined => members.find((member) => member.name === of)?.parent;
  const parent = parentOf(name);
  return members
    .filter((other) => other.name !== name)
    .filter(
      (other) =>
        other.name === parent || other.parent === name || (parent !== undefined && other.parent === parent),
    )
    .map((other) => other.name);
}
