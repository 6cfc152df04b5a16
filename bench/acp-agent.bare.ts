import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';

/** The smallest agent on the SDK, bundled as `zoo acp` is. */
acp
  .agent({ name: 'bare' })
  .onRequest('initialize', () => ({ protocolVersion: acp.PROTOCOL_VERSION, agentCapabilities: {} }))
  .connect(acp.ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
