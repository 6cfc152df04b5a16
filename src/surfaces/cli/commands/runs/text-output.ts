import { withoutFence } from '../../../../platform/text/json-fence.ts';
import type { Invocation } from '../../invocation.ts';

/** The text of a run on standard output. */
export interface TextOutput {
  add(text: string): void;
  /** The model starts this step again. */
  drop(): void;
  /** Prints the text that is held back. */
  flush(): void;
  endLine(): void;
  /** After the last event, with the answer of the run. */
  end(answer: string): void;
}

/**
 * A terminal gets text as it arrives. Files and other programs get it in whole: after a broken stream they would have
 * the beginning of an answer twice. With `answerOnly` they get the JSON of the last step only.
 */
export function createTextOutput({ terminal: { out } }: Invocation, answerOnly: boolean): TextOutput {
  let held = '';
  let isOpen = false;
  const write = (text: string): void => {
    if (text === '') return;
    out.write(text);
    isOpen = !text.endsWith('\n');
  };
  const flush = (): void => {
    if (!answerOnly) write(held);
    held = '';
  };
  const endLine = (): void => {
    if (isOpen) out.write('\n');
    isOpen = false;
  };
  return {
    add(text) {
      if (out.isTTY && !answerOnly) write(text);
      else held += text;
    },
    drop() {
      held = '';
    },
    flush,
    endLine,
    end(answer) {
      if (answerOnly) write(withoutFence(answer));
      else flush();
      endLine();
    },
  };
}
