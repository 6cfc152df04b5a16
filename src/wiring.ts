import type { OtherSurfaces } from './surfaces/cli/serving/serve-surfaces.ts';

/** The surfaces besides the command line. Each is loaded on demand. */
export const surfaces: OtherSurfaces = {
  async startHttp(hub, { host, port, log, ...options }) {
    const [{ createHttpApp }, { listen }, { webFolder }, { createMcpMount }, { createA2AMount }] =
      await Promise.all([
        import('./surfaces/http/app.ts'),
        import('./surfaces/http/serve.ts'),
        import('./surfaces/http/static-files.ts'),
        import('./surfaces/mcp/http/mount.ts'),
        import('./surfaces/a2a/mount.ts'),
      ]);
    const httpLog = { error: (details: object, message: string) => log.error(message, { ...details }) };
    const mcp = createMcpMount(hub, { log });
    const a2a = createA2AMount(hub, { log });
    const closeMounts = () => Promise.all([mcp.close(), a2a.close()]);
    try {
      const mounts = [{ path: '/mcp', answer: mcp.answer }, a2a] as const;
      const app = createHttpApp(hub, { ...options, log: httpLog, mounts, web: webFolder() });
      const server = await listen(app, { host, port });
      // Together: a server that closes waits for streams, which end with what is mounted.
      const close = async () => void (await Promise.all([closeMounts(), server.close()]));
      return { ...server, close };
    } catch (error) {
      await closeMounts();
      throw error;
    }
  },
  async startSocket(hub, settings) {
    const [{ serveConnection }, { createLive }, { listenForBridges }, { serveEditor }] = await Promise.all([
      import('./surfaces/mcp/socket/connection.ts'),
      import('./surfaces/mcp/changes/live.ts'),
      import('./surfaces/mcp/socket/bridge-socket.ts'),
      import('./surfaces/acp/serve-editor.ts'),
    ]);
    const { log } = settings;
    const live = createLive(hub, log);
    const socket = await listenForBridges(hub, {
      ...settings,
      serve: (context, streams) =>
        context.surface === 'acp'
          ? serveEditor(hub, context, streams, { log })
          : serveConnection(hub, context, streams, { log, live }),
    });
    return { use: socket.use, close: () => socket.close().then(() => live.close()) };
  },
  async runBridge(options) {
    (await import('./surfaces/mcp/bridge/run-mcp-bridge.ts')).runMcpBridge(options);
    return new Promise(() => undefined);
  },
  async runAcpBridge(options) {
    (await import('./surfaces/acp/bridge/run-acp-bridge.ts')).runAcpBridge(options);
    return new Promise(() => undefined);
  },
};
