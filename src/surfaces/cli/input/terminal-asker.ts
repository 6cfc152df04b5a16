import { createInterface } from 'node:readline/promises';
import { autocompleteMultiselect, password, select, text } from '@clack/prompts';
import { wrapMessage } from '../output/wrap-message.ts';
import type { Asker, Choice } from './asker.ts';

const output = process.stderr;

/**
 * The person at the terminal of this process. Questions go to standard error, so that data can be piped. A prompt
 * that is cancelled answers with a symbol.
 */
export const terminalAsker: Asker = {
  async ask(question) {
    const lines = createInterface({ input: process.stdin, output });
    // Ctrl-D ends the input without an answer, which counts as no.
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    try {
      const wrapped = `${wrapMessage(question.trimEnd(), output.columns || 80)} `;
      return await Promise.race([lines.question(wrapped), ended]);
    } finally {
      lines.close();
    }
  },
  async text(message, { placeholder, initial, refuse, signal } = {}) {
    const answer = await text({
      message,
      output,
      ...(placeholder === undefined ? {} : { placeholder }),
      ...(initial === undefined ? {} : { initialValue: initial }),
      ...(refuse ? { validate: (given) => refuse(given ?? '') } : {}),
      ...(signal ? { signal } : {}),
    });
    return typeof answer === 'symbol' ? null : answer;
  },
  async secret(message) {
    const answer = await password({ message, output });
    return typeof answer === 'symbol' ? null : answer;
  },
  async choose(message, choices, signal) {
    const options = choices.map(optionOf);
    const answer = await select({ message, output, options, ...(signal ? { signal } : {}) });
    return typeof answer === 'symbol' ? null : answer;
  },
  async chooseMany(message, choices) {
    const options = choices.map(optionOf);
    const answer = await autocompleteMultiselect({ message, output, options, placeholder: 'Type to search' });
    return typeof answer === 'symbol' ? null : answer;
  },
};

const optionOf = ({ value, label = value, hint }: Choice) => ({
  value,
  label,
  ...(hint === undefined ? {} : { hint }),
});
