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

/** The next state while it is being decided. The state it started from is never changed. */
export class Draft {
  readonly env: StepEnv;
  readonly effects: Effect[] = [];
  #team: Team;
  #isTeamWritten = false;
  readonly #members: Map<string, Member>;
  readonly #messages: Map<string, Message>;
  readonly #turns: Map<string, Turn>;
  readonly #history: HistoryEntry[] = [];
  readonly #written = {
    members: new Map<string, Member>(),
    messages: new Map<string, Message>(),
    turns: new Map<string, Turn>(),
  };

  constructor(before: TeamState, env: StepEnv) {
    this.env = env;
    this.#team = before.team;
    this.#members = new Map(before.members);
    this.#messages = new Map(before.messages);
    this.#turns = new Map(before.turns);
  }

  get team(): Team {
    return this.#team;
  }

  get members(): ReadonlyMap<string, Member> {
    return this.#members;
  }

  /** Those that are not settled, in the order in which they were accepted. */
  get messages(): Message[] {
    return [...this.#messages.values()];
  }

  message(id: string): Message | undefined {
    return this.#messages.get(id);
  }

  turn(id: string): Turn | undefined {
    return this.#turns.get(id);
  }

  setTeam(change: Partial<Team>): void {
    const before = this.#team;
    this.#team = { ...before, ...change };
    this.#isTeamWritten = true;
    this.#record('team', before.id, before.state, this.#team);
  }

  setMember(id: string, change: Partial<Member>): Member {
    const before = this.#members.get(id);
    if (!before) throw new Error(`member ${id} is not part of the team`);
    return this.addMember({ ...before, ...change });
  }

  addMember(member: Member): Member {
    const before = this.#members.get(member.id);
    this.#record('member', member.id, before?.state, member);
    if (member.worktree) this.#record('worktree', member.id, before?.worktree?.state, member.worktree);
    this.#members.set(member.id, member);
    this.#written.members.set(member.id, member);
    return member;
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
    if (isSettled(message)) this.#messages.delete(message.id);
    else this.#messages.set(message.id, message);
    this.#written.messages.set(message.id, message);
    return message;
  }

  setTurn(turn: Turn): Turn {
    this.#record('turn', turn.id, this.#turns.get(turn.id)?.state, { state: turn.state, reason: turn.error });
    if (turn.state === 'running' || turn.state === 'queued') this.#turns.set(turn.id, turn);
    else this.#turns.delete(turn.id);
    this.#written.turns.set(turn.id, turn);
    return turn;
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
    return { team: this.#team, members: this.#members, messages: this.#messages, turns: this.#turns };
  }

  changes(): Changes {
    return {
      team: this.#isTeamWritten ? this.#team : null,
      members: [...this.#written.members.values()],
      messages: [...this.#written.messages.values()],
      turns: [...this.#written.turns.values()],
      history: this.#history,
    };
  }
}
