// Tries to connect to several addresses, and tells its parent how each of them went.
import {request} from 'node:https';
import {connect, createServer} from 'node:net';
import {stayOnLoopback} from './loopback-only.js';

stayOnLoopback();

/** A port of this machine at which nobody listens. */
const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const free = (server.address() as {port: number}).port;
    server.close(() => resolve(free));
  });
});

const code = (error: NodeJS.ErrnoException & {errors?: NodeJS.ErrnoException[]}) => error.code ?? error.errors?.[0]?.code ?? error.message;
const plain = (host: string) => new Promise<string>((resolve) => connect({host, port}).once('error', (error) => resolve(code(error))));
const https = (host: string) =>
  new Promise<string>((resolve) =>
    request({host, port, agent: false})
      .once('error', (error) => resolve(code(error)))
      .end(),
  );

const found: Record<string, string> = {};
for (const host of ['127.0.0.1', 'localhost', '192.0.2.1', '2001:db8::1', 'service.default.svc']) found[host] = await plain(host);
for (const host of ['192.0.2.1', 'service.default.svc']) found[`https ${host}`] = await https(host);
process.send!(found);
process.disconnect();
