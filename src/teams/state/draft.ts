import {
  type Effect,
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
}

/** The next state while it is being decided. The state it started from is never changed. */
export class Draft {
  readonly env: StepEnv;
  readonly effects: Effect[] = [];
  readonly #before: TeamState;
  #team: Team;
  readonly #members: Map<string, Member>;
  readonly #messages: Map<string, Message>;
  readonly #turns: Map<string, Turn>;
  readonly #written = {
    members: new Map<string, Member>(),
    messages: new Map<string, Message>(),
    turns: new Map<string, Turn>(),
  };

  constructor(before: TeamState, env: StepEnv) {
    this.#before = before;
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
    this.#team = { ...this.#team, ...change };
  }

  setMember(id: string, change: Partial<Member>): Member {
    const before = this.#members.get(id);
    if (!before) throw new Error(`member ${id} is not part of the team`);
    return this.addMember({ ...before, ...change });
  }

  addMember(member: Member): Member {
    this.#members.set(member.id, member);
    this.#written.members.set(member.id, member);
    return member;
  }

  setMessage(message: Message, change: Partial<Message>): Message {
    return this.#putMessage({ ...message, ...change });
  }

  /** Gives the message its place in the order. */
  addMessage(message: Omit<Message, 'seq' | 'at'>): Message {
    const seq = this.#team.nextSeq;
    this.setTeam({ nextSeq: seq + 1 });
    return this.#putMessage({ ...message, seq, at: this.env.now });
  }

  #putMessage(message: Message): Message {
    if (isSettled(message)) this.#messages.delete(message.id);
    else this.#messages.set(message.id, message);
    this.#written.messages.set(message.id, message);
    return message;
  }

  setTurn(turn: Turn): Turn {
    if (turn.state === 'running' || turn.state === 'queued') this.#turns.set(turn.id, turn);
    else this.#turns.delete(turn.id);
    this.#written.turns.set(turn.id, turn);
    return turn;
  }

  state(): TeamState {
    return { team: this.#team, members: this.#members, messages: this.#messages, turns: this.#turns };
  }

  changes(): Changes {
    return {
      team: this.#team === this.#before.team ? null : this.#team,
      members: [...this.#written.members.values()],
      messages: [...this.#written.messages.values()],
      turns: [...this.#written.turns.values()],
    };
  }
}
