import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { HUB, inWords, isOver, type Member, type TeamState, USER } from './team-state.ts';

type Members = TeamState['members'];

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?$/;

/** Those that a member can send to: its parent, its children and its siblings; the user, from the root. */
export function reachableFrom(members: Members, from: Member): Member[] {
  return [...members.values()].filter(
    (other) => other.id !== from.id && !isOver(other) && isNear(other, from),
  );
}

const isNear = (other: Member, from: Member): boolean =>
  other.id === from.parent ||
  other.parent === from.id ||
  (other.parent === from.parent && from.parent !== null);

/** The member's id, or `user`. Throws with the list of those who can be reached. */
export function findRecipient(members: Members, from: Member, name: string): string {
  const near = reachableFrom(members, from);
  if (name === USER && from.parent === null) return USER;
  const found = near.find((other) => other.name === name);
  if (found) return found.id;
  const ended = [...members.values()].find(
    (other) => other.name === name && isOver(other) && isNear(other, from),
  );
  const names = [...(from.parent === null ? [USER] : []), ...near.map((other) => other.name)];
  throw unreachable(name, names, ended ?? null);
}

function unreachable(name: string, names: readonly string[], ended: Member | null): ZooError {
  const list = names.length === 0 ? 'nobody' : names.join(', ');
  const close = nearest(name, names);
  const why = ended
    ? `'${name}' ${inWords(ended.state)} and takes no messages.`
    : name === USER
      ? 'Only the root of the team can write to the user.'
      : `You cannot reach '${name}'.`;
  const hint = close === null || ended ? '' : ` Did you mean '${close}'?`;
  return new ZooError('unreachable_member', `${why} You can reach: ${list}.${hint}`, { reachable: names });
}

export const childrenOf = (members: Members, id: string): Member[] =>
  [...members.values()].filter(({ parent }) => parent === id);

/** Throws if the name is taken: a member must never see two members with the same name. */
export function refuseTakenName(members: Members, parent: Member | null, name: string): void {
  if (!NAME.test(name) || name === USER || name === HUB) {
    throw new ZooError(
      'invalid_arguments',
      `'${name}' cannot be the name of a member. Use 1 to 40 letters, digits, '-' or '_'; '${USER}' and '${HUB}' are reserved.`,
    );
  }
  if (!parent) return;
  const siblings = childrenOf(members, parent.id);
  const around = [
    parent,
    ...siblings,
    ...siblings.flatMap(({ id }) => childrenOf(members, id)),
    ...reachableFrom(members, parent),
  ];
  if (around.some((other) => other.name === name)) {
    throw new ZooError('already_exists', `A member near '${parent.name}' is already called '${name}'.`, {
      name,
    });
  }
}

/** The name for prompts and people. */
export function nameOf(members: Members, id: string): string {
  return id === USER || id === HUB ? id : (members.get(id)?.name ?? id);
}
