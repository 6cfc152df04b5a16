import type { Run, RunEvent } from '../../contract/run.ts';
import type { NumberedEvent } from './run-event-log.ts';

/** The events of an old run, from its steps: those that were emitted are kept for a limited time. */
export function* storedEvents(run: Run): Generator<NumberedEvent> {
  const { agentId, model, prompt, state, endReason, text, steps, usage, error } = run;
  const events: RunEvent[] = [
    { type: 'run-started', agentId, model: model ?? '', prompt, missingTools: [], warnings: [] },
    ...run.stepsTaken.flatMap(eventsOfStep),
    ...(error ? [{ type: 'error' as const, ...error }] : []),
    { type: 'done', state, reason: endReason, text, steps, usage },
  ];
  for (const [index, event] of events.entries()) yield { seq: index + 1, event };
}

function eventsOfStep({ step, messages }: Run['stepsTaken'][number]): RunEvent[] {
  const said = messages.flatMap((message): RunEvent[] => {
    switch (message.role) {
      case 'user': {
        const text = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
        return [{ type: 'message-joined', step, text }];
      }
      case 'assistant':
        return message.parts.flatMap((part, index): RunEvent[] => {
          if (part.type === 'text' || part.type === 'reasoning')
            return [{ type: part.type, step, part: index, offset: 0, text: part.text }];
          if (part.type === 'file') return [];
          return [{ type: 'tool-call', step, id: part.id, name: part.name, arguments: part.input }];
        });
      case 'tool':
      default:
        return message.parts.map(({ id, name, editedArguments, content, isError }) => ({
          type: 'tool-result',
          step,
          id,
          name,
          editedArguments,
          content,
          isError,
          durationMs: 0,
        }));
    }
  });
  return [{ type: 'step-started', step }, ...said];
}
