import { wrongUsage } from '../../output/failure.ts';
import { readPairs } from '../../input/name-value-pairs.ts';
import type { Invocation } from '../../invocation.ts';
import { writeServers } from './tools-import.ts';

export interface AddOptions {
  url?: string;
  env: string[];
  header: string[];
  cwd?: string;
  print?: true;
}

/** Adds one upstream MCP server to the config of the workspace: a command, or a URL. */
export async function addServer(
  call: Invocation,
  name: string,
  [command, ...args]: readonly string[],
  { url, env, header, cwd, print }: AddOptions,
): Promise<void> {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/.test(name)) {
    throw wrongUsage(`'${name}' is not a valid name: use 1 to 64 letters, digits, '-' and '_'`);
  }
  if ((command === undefined) === (url === undefined)) {
    throw wrongUsage(
      command === undefined ? 'the server needs a command or a URL' : 'use a command or --url, not both',
      `zoo tools add ${name} -- npx -y @modelcontextprotocol/server-memory`,
      `zoo tools add ${name} --url https://mcp.example.com/mcp`,
    );
  }
  if (url !== undefined && (env.length > 0 || cwd !== undefined)) {
    throw wrongUsage('--env and --cwd are for servers with a command', 'use --header NAME=VALUE for a URL');
  }
  // A variable may stand for the address.
  if (url !== undefined && !url.includes('${') && !(/^https?:\/\//.test(url) && URL.canParse(url)))
    throw wrongUsage(`--url must be an http or https address, not '${url}'`);
  if (url === undefined && header.length > 0) throw wrongUsage('--header is for servers with a --url');
  const given =
    url === undefined
      ? { command, args, env: readPairs(env, '--env'), ...(cwd === undefined ? {} : { cwd }) }
      : { url, headers: readPairs(header, '--header') };
  await writeServers(call, [{ name, from: 'the command line', given }], { print: print ?? false, all: true });
}
