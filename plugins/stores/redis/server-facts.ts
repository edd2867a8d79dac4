import type {Reply} from './drivers/redis-driver.js';
import {ReplyError} from './redis-errors.js';

/** Where commands can be sent. */
interface Asked {
  send(command: readonly string[]): Promise<Reply>;
}

/** Facts about a Redis server: read on every new connection, because it may be another server than before. */
export interface ServerFacts {
  /** `Redis 7.0.15`, `Valkey 8.1`. */
  readonly name: string;
  /** Identifies the process; empty if it may not be asked. */
  readonly run: string;
  /** Identifies the node of a cluster, also after its restart; empty outside of clusters. */
  readonly node: string;
  /** Whether it was a replica before. */
  readonly isPromoted: boolean;
  /** How it keeps its data; undefined if it may not be asked. */
  readonly appendOnly: boolean | undefined;
  readonly appendSync: string | undefined;
  readonly evictionPolicy: string;
  /** Bytes it may use; 0 without a bound. */
  readonly maximumMemory: number;
  /** Whether it can confirm that a write is synced to disk (`WAITAOF`). */
  readonly confirmsSync: boolean;
}

/** A server without known facts. */
export const unknownServer: ServerFacts = {
  name: 'Redis',
  run: '',
  node: '',
  isPromoted: false,
  appendOnly: undefined,
  appendSync: undefined,
  evictionPolicy: 'noeviction',
  maximumMemory: 0,
  confirmsSync: false,
};

const settings = ['appendonly', 'appendfsync', 'maxmemory-policy', 'maxmemory'];

/** Rejects with `ConnectionLost`. Facts that the user may not read, as in hosted services, stay unknown. */
export async function readServerFacts(session: Asked, isCluster: boolean): Promise<ServerFacts> {
  const [answer, configured, node] = await Promise.all([
    permitted(session, ['INFO']),
    permitted(session, ['CONFIG', 'GET', ...settings]),
    isCluster ? permitted(session, ['CLUSTER', 'MYID']) : null,
  ]);
  const info = infoFields(answer);
  const config = pairs(configured as Buffer[] | null);
  const [appendonly, appendSync, policy, memory] = settings.map((name) => config.get(name));
  const version = info.get('redis_version');
  return {
    name: info.has('valkey_version') ? `Valkey ${info.get('valkey_version')}` : `Redis ${version ?? 'of unknown version'}`,
    run: info.get('run_id') ?? '',
    node: node === null ? '' : String(node),
    isPromoted: /[1-9a-f]/.test(info.get('master_replid2') ?? ''),
    appendOnly: appendonly === undefined ? flag(info.get('aof_enabled')) : appendonly === 'yes',
    appendSync,
    evictionPolicy: policy ?? info.get('maxmemory_policy') ?? 'noeviction',
    maximumMemory: Number(memory ?? info.get('maxmemory') ?? 0),
    confirmsSync: isAtLeast(version, 7, 2),
  };
}

function pairs(reply: readonly Buffer[] | null): Map<string, string> {
  const found = new Map<string, string>();
  for (let index = 0; reply !== null && index < reply.length; index += 2) found.set(String(reply[index]), String(reply[index + 1]));
  return found;
}

function flag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === '1';
}

function isAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const [first = 0, second = 0] = (version ?? '').split('.').map(Number);
  return first > major || (first === major && second >= minor);
}

/** The answer, or null when the command is refused. */
async function permitted(session: Asked, command: readonly string[]): Promise<Reply> {
  try {
    return await session.send(command);
  } catch (error) {
    if (error instanceof ReplyError) return null;
    throw error;
  }
}

function infoFields(reply: Reply): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of String(reply ?? '').split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}
