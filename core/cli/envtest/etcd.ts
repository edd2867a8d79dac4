import {once} from 'node:events';
import {mkdir, mkdtemp, rm} from 'node:fs/promises';
import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {KERNEL_VERSION} from '../../kernel/kernel-version.js';
import {dataPath, type EtcdData} from './etcd-client.js';
import {etcdHelp, readEtcdFlags} from './etcd-flags.js';

/**
 * Replaces etcd beside Orch's kube-apiserver. It answers the checks of test suites, and owns the data folder of the API server that gets its URL: as long as
 * it runs, a restarted API server finds its objects again. It loads little code and starts at once.
 *
 * @returns the exit code
 */
export async function runEtcd(args: readonly string[], cwd = process.cwd()): Promise<number> {
  if (args.some((argument) => /^--?h(?:elp)?$/.test(argument))) {
    process.stdout.write(etcdHelp());
    return 0;
  }
  if (args.some((argument) => /^--?version$/.test(argument))) {
    process.stdout.write(`etcd Version: 3.5.0+orch.${KERNEL_VERSION}\n`);
    return 0;
  }
  const {dataDir, listenClientUrls, sync, withoutEffect} = readEtcdFlags(args);
  if (withoutEffect.length > 0) process.stderr.write(`flags of etcd that are accepted without effect: --${withoutEffect.join(', --')}\n`);
  const stopped = new Promise<void>((end) => {
    process.once('SIGTERM', () => end());
    process.once('SIGINT', () => end());
  });
  const folder = dataDir === undefined ? await mkdtemp(join(tmpdir(), 'orch-etcd-')) : resolve(cwd, dataDir);
  const servers: Server[] = [];
  try {
    if (dataDir !== undefined) await mkdir(folder, {recursive: true, mode: 0o700});
    const answers = answersOf({dataDir: join(folder, 'orch'), sync});
    for (const url of listenClientUrls) servers.push(await listen(url, answers));
    await stopped;
    return 0;
  } finally {
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    if (dataDir === undefined) await rm(folder, {recursive: true, force: true});
  }
}

function answersOf(data: EtcdData): ReadonlyMap<string, object> {
  return new Map<string, object>([
    ['/health', {health: 'true', reason: ''}],
    ['/version', {etcdserver: `3.5.0+orch.${KERNEL_VERSION}`, etcdcluster: '3.5.0'}],
    [dataPath, data],
  ]);
}

async function listen(url: URL, answers: ReadonlyMap<string, object>): Promise<Server> {
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url?.split('?', 1)[0] ?? '';
    const answer = request.method === 'GET' ? answers.get(path) : undefined;
    response.writeHead(answer === undefined ? 404 : 200, {'content-type': 'application/json'});
    response.end(JSON.stringify(answer ?? {error: `the etcd of orch envtest has only ${[...answers.keys()].join(', ')}`}));
  });
  server.listen({host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 80)});
  await once(server, 'listening');
  return server;
}
