import type { ZooClient } from '../../../contract/api.ts';
import { connect } from './connect-to-hub.ts';
import type { Invocation } from '../invocation.ts';

/** Runs a command with the hub that serves this home or, if there is none, with a local one. */
export async function withClient<T>(call: Invocation, work: (client: ZooClient) => Promise<T>): Promise<T> {
  const connection = await connect(call);
  try {
    return await work(connection.client);
  } finally {
    await connection.close();
  }
}
