import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {inspectable} from '../bench/inspector.js';
import {cpuSeconds, residentMegabytes} from '../bench/process-usage.js';
import {heapOf, longestTurnOf, watchTurns} from '../bench/server-heap.js';
import {tableText} from '../bench/table-text.js';
import {httpsClient, type HttpsClient} from '../../test/helpers/https-client.js';
import {spawnOrch} from '../../test/helpers/orch-process.js';
import {fillStore} from './fill-store.js';

/** What a server with many objects in the embedded store takes for a step. */
interface Step {
  readonly name: string;
  readonly seconds: number;
  /** Seconds of processor. */
  readonly processor: number;
  /** The longest turn of the event loop, in milliseconds of processor; undefined before the server is ready. */
  readonly turn: number | undefined;
  /** Memory that is not of files, in MB. */
  readonly resident: number;
}

export interface ManyObjects {
  readonly objects: number;
  readonly steps: readonly Step[];
  /** Bytes of JavaScript objects and of buffers that all of it has added, for each object. What a start reads of each is not among them. */
  readonly heap: number;
  readonly external: number;
}

const namespace = 'bench';
const page = `/api/v1/namespaces/${namespace}/configmaps?limit=500`;

/** Puts objects of about 1 KB into an embedded store, starts a server on it, and asks for them. */
export async function measureManyObjects(objects: number, progress: (text: string) => void): Promise<ManyObjects> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-many-'));
  const cleanups: (() => unknown)[] = [() => rmSync(folder, {recursive: true, force: true})];
  const teardown = (cleanup: () => unknown) => void cleanups.unshift(cleanup);
  try {
    const dataDir = join(folder, 'data');
    progress(`${objects} objects are written`);
    await fillStore(folder, dataDir, {namespace, objects});
    progress('a server starts');
    const server = await spawnOrch({dataDir, env: inspectable, startTimeoutMillis: 600_000});
    teardown(() => server.stop());
    const resident = () => residentMegabytes(server.pid).own;
    const ready = {
      name: 'ready',
      seconds: server.readyMillis / 1000,
      processor: cpuSeconds([server.pid]),
      turn: undefined,
      resident: resident(),
    };
    const empty = await heapOf(server);
    await watchTurns(server);
    const client = httpsClient({teardown}, server);
    const step = async (name: string, work: () => Promise<unknown>): Promise<Step> => {
      progress(name);
      const [began, processor] = [performance.now(), cpuSeconds([server.pid])];
      await work();
      const seconds = (performance.now() - began) / 1000;
      const {processorMillis} = await longestTurnOf(server);
      return {name, seconds, processor: cpuSeconds([server.pid]) - processor, turn: processorMillis, resident: resident()};
    };
    const byLabel = `${page}&labelSelector=${encodeURIComponent('shard=s3')}`;
    const steps = [
      ready,
      await step('first page', () => get(client, page)),
      await step('first page again', () => get(client, page)),
      await step('all pages', () => allPages(client)),
      await step('by a label', () => get(client, byLabel)),
      await step('by a label for the second time', () => get(client, byLabel)),
    ];
    const full = await heapOf(server);
    return {objects, steps, heap: (full.heap - empty.heap) / objects, external: (full.external - empty.external) / objects};
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** One page, read again where the server is still busy with all of them and says so. */
async function get(client: HttpsClient, path: string): Promise<string> {
  for (;;) {
    const {status, text} = await client.get(path);
    if (status === 200) return text;
    if (status !== 504) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`);
  }
}

async function allPages(client: HttpsClient): Promise<void> {
  let token = '';
  do {
    const text = await get(client, token === '' ? page : `${page}&continue=${encodeURIComponent(token)}`);
    token = /"continue":"([^"]+)"/.exec(text.slice(0, 1000) + text.slice(-1000))?.[1] ?? '';
  } while (token !== '');
}

export function manyObjectsReport({objects, steps, heap, external}: ManyObjects): string {
  return [
    tableText([
      [`${objects.toLocaleString('en')} objects, embedded store`, 's', 's of processor', 'longest turn, ms', 'MB'],
      ...steps.map(({name, seconds, processor, turn, resident}) => [
        name,
        seconds.toFixed(2),
        processor.toFixed(2),
        turn === undefined ? '' : turn.toFixed(1),
        resident.toFixed(0),
      ]),
    ]),
    `each object: ${heap.toFixed(0)} bytes of the heap, ${external.toFixed(0)} of buffers`,
  ].join('\n');
}
