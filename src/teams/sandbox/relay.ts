/**
 * Runs inside of a sandbox without a network, as `node -e`, because no file of the hub is visible there. It listens
 * where the hub would be and as a proxy, passes both to the gateway, and starts the command with the proxy in its
 * environment. Arguments: the gateway, the host and port of the hub, the command.
 */
export const RELAY = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const [gateway, hub, command, ...args] = process.argv.slice(1);
const join = (client, target) => {
  client.on('error', () => target.destroy());
  target.on('error', () => client.destroy());
  client.pipe(target).pipe(client);
};
const toHub = net.createServer((client) => {
  const target = net.connect(gateway, () => target.write('CONNECT ' + hub + ' HTTP/1.1\\r\\nHost: ' + hub + '\\r\\n\\r\\n'));
  target.once('data', (head) => {
    const end = head.indexOf('\\r\\n\\r\\n') + 4;
    if (head.length > end) target.unshift(head.subarray(end));
    join(client, target);
  });
  target.on('error', () => client.destroy());
});
const proxy = net.createServer((client) => join(client, net.connect(gateway)));
toHub.listen(Number(hub.split(':').pop()), '127.0.0.1', () => proxy.listen(0, '127.0.0.1', () => {
  const url = 'http://127.0.0.1:' + proxy.address().port;
  const local = '127.0.0.1,localhost';
  const env = { ...process.env, HTTP_PROXY: url, HTTPS_PROXY: url, http_proxy: url, https_proxy: url, NO_PROXY: local, no_proxy: local };
  const child = spawn(command, args, { env, stdio: 'inherit' });
  child.on('error', (error) => { console.error(error.message); process.exit(127); });
  child.on('exit', (code) => process.exit(code ?? 1));
}));
`;
