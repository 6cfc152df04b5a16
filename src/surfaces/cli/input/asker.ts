import { terminalLine, terminalText } from '../../../platform/text/terminal-text.ts';

export interface Choice {
  value: string;
  /** The displayed value, if different. */
  label?: string;
  hint?: string;
}

export interface TextQuestion {
  placeholder?: string;
  /** Text to start from. */
  initial?: string;
  /** Why an answer is invalid; undefined if it is valid. */
  refuse?: (answer: string) => string | undefined;
  /** Closes the question, as if it were cancelled. */
  signal?: AbortSignal;
}

/** Asks the person at the terminal. Null if they cancelled. */
export interface Asker {
  /** One line; empty if the input ended. */
  ask(question: string): Promise<string>;
  text(question: string, options?: TextQuestion): Promise<string | null>;
  /** A hidden text, such as a password. */
  secret(question: string): Promise<string | null>;
  choose(question: string, choices: readonly Choice[], signal?: AbortSignal): Promise<string | null>;
  /** Any number of the choices, found by typing. */
  chooseMany(question: string, choices: readonly Choice[]): Promise<string[] | null>;
}

export async function confirm(asker: Asker, question: string, fallback = false): Promise<boolean> {
  const answer = (await asker.ask(`${question} ${fallback ? '[Y/n]' : '[y/N]'} `)).trim().toLowerCase();
  return answer === '' ? fallback : answer === 'y' || answer === 'yes';
}

/** Questions contain text from outside and do not pass through `Output`. */
export function guardAsker(asker: Asker): Asker {
  const shown = (choices: readonly Choice[]): Choice[] =>
    choices.map(({ value, hint }) => ({
      value,
      label: terminalLine(value),
      ...(hint === undefined ? {} : { hint: terminalLine(hint) }),
    }));
  return {
    ask: (question) => asker.ask(terminalText(question)),
    text: (question, options) => asker.text(terminalText(question), options),
    secret: (question) => asker.secret(terminalText(question)),
    choose: (question, choices, signal) => asker.choose(terminalText(question), shown(choices), signal),
    chooseMany: (question, choices) => asker.chooseMany(terminalText(question), shown(choices)),
  };
}
