/**
 * How a hub proves to a client that it wrote `hub.json`, before the client sends a token: only readers of that file
 * know the secret. The address is part of it, so that a proof cannot be relayed from another port. `node:crypto` is
 * loaded here and not imported: most commands never get this far.
 */
export function hubProof(secret: string, url: string, challenge: string): string {
  const { createHmac } = process.getBuiltinModule('node:crypto');
  return createHmac('sha256', secret).update(`${url}\n${challenge}`).digest('hex');
}

export function randomHex(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(32).toString('hex');
}
