import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {fileURLToPath} from 'node:url';
import {ensurePki} from '../../core/pki/ensure-pki.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import type {FloorConfig} from './floor-server.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';
import type {Subject} from './subject.js';
import {configMapText, objectName, type RequestJob, type Target} from './work.js';

/** Bodies that the real server has answered: one object, and a list. */
export type FloorSamples = Pick<FloorConfig, 'item' | 'list' | 'large' | 'secrets'>;

/** What the real server answers for an object and a list of a namespace, for the floor to answer too. @throws Error when they are not there */
export async function takeSamples(
  target: Target,
  namespace: string,
  limit: number,
  resource: NonNullable<RequestJob['resource']> | 'configmaps' = 'configmaps',
): Promise<{item: string; list: string}> {
  const cleanups: (() => void | Promise<void>)[] = [];
  const client = httpsClient({teardown: (cleanup) => cleanups.push(cleanup)}, target);
  try {
    const collection = `/api/v1/namespaces/${namespace}/${resource}`;
    const [item, list] = await Promise.all([client.get(`${collection}/${objectName(1)}`), client.get(`${collection}?limit=${limit}`)]);
    if (item.status !== 200 || list.status !== 200) throw new Error(`taking samples: status ${item.status} and ${list.status}`);
    return {item: item.text, list: list.text};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** Bodies of about the right size, for a run without the real server. */
export function madeUpSamples(): FloorSamples {
  const server = `"uid":"6ad4aeb4-3d1c-4b14-9bb9-9b2e6ad3a5e1","resourceVersion":"1000001","creationTimestamp":"2026-01-01T00:00:00Z",
    "managedFields":[{"manager":"bench","operation":"Update","apiVersion":"v1","time":"2026-01-01T00:00:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:data":{}}}]`.replaceAll(
    /\s+/g,
    '',
  );
  const one = (index: number) => configMapText('bench', index, index).replace('"metadata":{', `"metadata":{${server},`);
  const items = Array.from({length: 500}, (_, index) => one(index));
  return {
    item: one(0),
    list: `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"1000001"},"items":[${items.join(',')}]}`,
  };
}

/** Starts the bare https server in a process of its own. */
export async function startFloor(samples: FloorSamples): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-floor-'));
  const pki = await ensurePki(join(folder, 'pki'), {bindAddress: '127.0.0.1', platform: 'orch'});
  const config: FloorConfig = {ca: pki.caCertificate, cert: pki.servingCertificate, key: pki.servingKey, ...samples};
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const child = spawn(process.execPath, [fileURLToPath(new URL('./floor-server.js', import.meta.url)), join(folder, 'config.json')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, {recursive: true, force: true});
  };
  const [line] = (await Promise.race([once(createInterface({input: child.stdout}), 'line'), ended.then(() => [''])])) as [string];
  const url = /^ready (\S+)$/.exec(line)?.[1];
  if (url === undefined) {
    await close();
    throw new Error('the floor server did not start');
  }
  const pid = child.pid!;
  const target = {url, ca: pki.caCertificate, cert: pki.adminCertificate, key: pki.adminKey};
  return {
    name: 'floor',
    targets: [target],
    // It does the same for everybody.
    limitedUser: () => Promise.resolve(target),
    starts: undefined,
    servers: [],
    cpu: () => cpuSeconds([pid]),
    memory: () => ({servers: residentMegabytes(pid), redis: undefined}),
    close,
  };
}
