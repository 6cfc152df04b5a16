import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { whyNot, works } from '../../../test/teams/in-sandbox.ts';
import { stage } from '../../../test/teams/sandbox-stage.ts';
import { tempFolder } from '../../../test/temp-folder.ts';
import { openGateway } from './gateway.ts';

test.runIf(works)(
  `without a network, only the hub and the hosts of the harness can be reached${whyNot}`,
  async () => {
    const listen = async (text: string) => {
      const server = createServer((_asked, answer) => answer.end(text)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      return { server, port: typeof address === 'object' && address ? address.port : 0 };
    };
    const [hub, model, other] = await Promise.all([listen('hub'), listen('model'), listen('other')]);
    await using folder = await tempFolder();
    const gateway = await openGateway(
      join(folder.path, 'g.sock'),
      (_host, port) => port === hub.port || port === model.port,
    );
    await using at = await stage({ path: gateway.path, hub: `127.0.0.1:${hub.port}` });
    const get = (port: number, via: string) =>
      at.shell(
        `'${process.execPath}' -e 'const {request}=require("node:http"); const p=new URL(process.env.HTTP_PROXY); const o=${via}; request(o,(r)=>{r.on("data",(d)=>console.log(r.statusCode+" "+d)); r.on("end",()=>console.log("end "+r.statusCode))}).on("error",(e)=>console.log("failed "+e.code)).end()' ${port}`,
      );
    const direct = (port: number) => get(port, `{host:"127.0.0.1",port:${port}}`);
    const proxied = (port: number) =>
      get(port, `{host:p.hostname,port:p.port,path:"http://127.0.0.1:${port}/"}`);
    expect(await direct(hub.port)).toContain('200 hub');
    expect(await direct(other.port)).toContain('failed ECONNREFUSED');
    expect(await proxied(model.port)).toContain('200 model');
    expect(await proxied(other.port)).toContain('end 403');
    await gateway.close();
    for (const { server } of [hub, model, other]) server.close();
  },
);
