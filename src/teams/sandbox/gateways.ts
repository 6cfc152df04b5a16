import { join } from 'node:path';
import { loadOnce } from '../../platform/caching/load-once.ts';
import { closeEach } from '../../platform/processes/resources.ts';
import { type Gateway, openGateway } from './gateway.ts';

/** One gateway per member, opened with its first process. */
export interface Gateways {
  /** The path of the member's socket. A gateway that could not be opened is opened again by the next call. */
  open(member: string, allows: Parameters<typeof openGateway>[1]): Promise<string>;
  close(member: string): Promise<void>;
  closeAll(): Promise<void>;
}

export function createGateways(folder: string): Gateways {
  const gateways = new Map<string, ReturnType<typeof loadOnce<Gateway>>>();
  const close = async (member: string): Promise<void> => {
    const gateway = gateways.get(member);
    gateways.delete(member);
    await (await gateway?.started())?.close();
  };
  return {
    async open(member, allows) {
      // The path of a socket is limited to about a hundred characters.
      const path = join(folder, `${member.slice(0, 13)}.sock`);
      const gateway = gateways.get(member) ?? loadOnce(() => openGateway(path, allows));
      gateways.set(member, gateway);
      return (await gateway.get()).path;
    },
    close,
    closeAll: () => closeEach([...gateways.keys()].map((member) => () => close(member))),
  };
}
