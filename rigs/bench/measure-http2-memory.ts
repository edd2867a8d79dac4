import {spawnOrch} from '../../test/helpers/orch-process.js';
import {adminTarget} from './bench-users.js';
import {LoadProcess} from './load-process.js';
import {residentMegabytes} from './process-usage.js';
import {inspectable} from './inspector.js';
import {heapOf} from './server-heap.js';

/** Memory of a server for one of many, in bytes. */
export interface MemoryUse {
  /** JavaScript objects, buffers, and what the library of HTTP/2 says that it has, behind a garbage collection. */
  readonly held: number;
  /** What the process has of the system, with all of TLS: rough, since the allocator keeps some back. */
  readonly resident: number;
}

/** The memory of one kind of thing over both protocols. */
export interface MemoryRow {
  readonly what: string;
  readonly count: number;
  readonly http2: MemoryUse;
  readonly http1: MemoryUse;
}

const connections = 500;
const watches = 1_000;

/** What connections that are idle, and watches, take on servers that have nothing else. */
export async function measureHttp2Memory(progress: (text: string) => void): Promise<readonly MemoryRow[]> {
  const rows: MemoryRow[] = [];
  for (const what of ['connection', 'watch'] as const) {
    progress(`http2: memory of a ${what}`);
    const count = what === 'connection' ? connections : watches;
    rows.push({
      what: what === 'connection' ? 'connection without requests' : 'watch, all on one connection of HTTP/2',
      count,
      http2: await memoryOf(what, count, true),
      http1: await memoryOf(what, count, false),
    });
  }
  return rows;
}

async function memoryOf(what: 'connection' | 'watch', count: number, isHttp2: boolean): Promise<MemoryUse> {
  const extra = ['--disable-http2-serving=false', `--http2-max-streams-per-connection=${2 * watches}`];
  const server = await spawnOrch({store: 'memory', env: inspectable, extra});
  const load = new LoadProcess();
  try {
    const connect = async (connected: number) =>
      load.run({kind: 'connect', targets: [adminTarget(server)], concurrency: connected, ...(isHttp2 ? {sessions: connected} : {})});
    const look = async () => {
      const {heap, external} = await heapOf(server);
      return {held: heap + external, resident: residentMegabytes(server.pid).own * 2 ** 20};
    };
    // What the first of each needs is not that of one.
    await connect(1);
    await load.run({kind: 'namespace', name: 'bench'});
    await load.run({kind: 'watchers', namespace: 'bench', count: 1});
    const before = await look();
    if (what === 'connection') await connect(count + 1);
    else await load.run({kind: 'watchers', namespace: 'bench', count: count + 1});
    const after = await look();
    return {held: (after.held - before.held) / count, resident: (after.resident - before.resident) / count};
  } finally {
    await load.close();
    await server.stop();
  }
}
