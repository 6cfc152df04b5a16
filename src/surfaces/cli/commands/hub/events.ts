import { printLine, say } from '../../invocation.ts';
import type { Invocation } from '../../invocation.ts';
import { localTime } from '../../render/layout.ts';
import { withClient } from '../../hub-access/with-client.ts';

/** One line per change until interrupted; as JSON, one object per line. */
export async function followEvents(call: Invocation, options: { after?: number }): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort();
  process.once('SIGINT', end).once('SIGTERM', end);
  await withClient(call, async (client) => {
    if (!call.json) say(call, 'Following changes; press Ctrl-C to stop.');
    try {
      for await (const event of client.stream('events', { ...options }, ended.signal)) {
        const what = [event.type, ...(event.agentId === null ? [] : [event.agentId])].join(' ');
        printLine(call, event, () => `${event.seq}  ${localTime(event.at)}  ${what}`);
      }
    } catch (error) {
      if (!ended.signal.aborted) throw error;
    }
  });
}
