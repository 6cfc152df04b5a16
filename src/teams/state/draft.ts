import {
  type Effect,
  type HistoryEntry,
  isSettled,
  type Member,
  type Message,
  type StepEnv,
  type Team,
  type TeamState,
  type Turn,
} from './team-state.ts';

/** Rows to write with a decision. */
export interface Changes {
  team: Team | null;
  members: readonly Member[];
  messages: readonly Message[];
  turns: readonly Turn[];
  history: readonly HistoryEntry[];
}

/** Rows of the next state. Those of the last one are shared until the first change. */
class Rows<T extends { id: string }> {
  readonly written = new Map<string, T>();
  readonly #before: ReadonlyMap<string, T>;
  #changed: Map<string, T> | null = null;

  constructor(before: ReadonlyMap<string, T>) {
    this.#before = before;
  }

  get all(): ReadonlyMap<string, T> {
    return this.#changed ?? this.#before;
  }

  /** Writes the row. One that can change no more is not part of the state. */
  put(row: T, isLive: boolean): T {
    this.#changed ??= new Map(this.#before);
    if (isLive) this.#changed.set(row.id, row);
    else this.#changed.delete(row.id);
    this.written.set(row.id, row);
    return row;
  }
}

/** The next state while it is being decided. The state it started from is never changed. */
export class Draft {
  readonly env: StepEnv;
  readonly effects: Effect[] = [];
  #team: Team;
  #isTeamWritten = false;
  readonly #members: Rows<Member>;
  readonly #messages: Rows<Message>;
  readonly #turns: Rows<Turn>;
  readonly #history: HistoryEntry[] = [];

  constructor(before: TeamState, env: StepEnv) {
    this.env = env;
    this.#team = before.team;
    this.#members = new Rows(before.members);
    this.#messages = new Rows(before.messages);
    this.#turns = new Rows(before.turns);
  }

  get team(): Team {
    return this.#team;
  }

  get members(): ReadonlyMap<string, Member> {
    return this.#members.all;
  }

  /** Those that are not settled, in the order in which they were accepted. */
  get messages(): Message[] {
    return [...this.#messages.all.values()];
  }

  message(id: string): Message | undefined {
    return this.#messages.all.get(id);
  }

  /** The oldest one that is not settled. */
  findMessage(matches: (message: Message) => boolean): Message | undefined {
    for (const message of this.#messages.all.values()) if (matches(message)) return message;
    return undefined;
  }

  turn(id: string): Turn | undefined {
    return this.#turns.all.get(id);
  }

  setTeam(change: Partial<Team>): void {
    const before = this.#team;
    this.#team = { ...before, ...change };
    this.#isTeamWritten = true;
    this.#record('team', before.id, before.state, this.#team);
  }

  setMember(id: string, change: Partial<Member>): Member {
    const before = this.members.get(id);
    if (!before) throw new Error(`member ${id} is not part of the team`);
    return this.addMember({ ...before, ...change });
  }

  addMember(member: Member): Member {
    const before = this.members.get(member.id);
    this.#record('member', member.id, before?.state, member);
    if (member.worktree) this.#record('worktree', member.id, before?.worktree?.state, member.worktree);
    return this.#members.put(member, true);
  }

  setMessage(message: Message, change: Partial<Message>): Message {
    return this.#putMessage({ ...message, ...change }, message.state);
  }

  /** Gives the message its place in the order. */
  addMessage(message: Omit<Message, 'seq' | 'at'>): Message {
    const seq = this.#team.nextSeq;
    // The stored messages tell the next number, so the team itself need not be written.
    this.#team = { ...this.#team, nextSeq: seq + 1 };
    return this.#putMessage({ ...message, seq, at: this.env.now }, undefined);
  }

  #putMessage(message: Message, before: string | undefined): Message {
    this.#record('message', message.id, before, message);
    return this.#messages.put(message, !isSettled(message));
  }

  setTurn(turn: Turn): Turn {
    this.#record('turn', turn.id, this.turn(turn.id)?.state, { state: turn.state, reason: turn.error });
    return this.#turns.put(turn, turn.state === 'running' || turn.state === 'queued');
  }

  #record(
    type: HistoryEntry['type'],
    subject: string,
    before: string | undefined,
    { state, reason = null }: { state: string; reason?: string | null },
  ): void {
    if (state !== before) this.#history.push({ type, subject, state, reason });
  }

  state(): TeamState {
    return {
      team: this.#team,
      members: this.#members.all,
      messages: this.#messages.all,
      turns: this.#turns.all,
    };
  }

  changes(): Changes {
    return {
      team: this.#isTeamWritten ? this.#team : null,
      members: [...this.#members.written.values()],
      messages: [...this.#messages.written.values()],
      turns: [...this.#turns.written.values()],
      history: this.#history,
    };
  }
}
