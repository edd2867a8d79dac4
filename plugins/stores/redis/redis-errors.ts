import {StoreError} from '../../../sdk/index.js';
import type {Address} from './redis-url.js';

/** The connection ended, or could not be made. Whether commands without an answer took effect is unknown. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Redis answered with an error. `code` is its first word, such as `WRONGPASS`. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  readonly code: string;

  constructor(message: string) {
    super(message);
    this.code = /^[A-Z]+/.exec(message)?.[0] ?? 'ERR';
  }
}

/** A Redis that can be reached and must not be used, with the reason. It is asked again on every new connection. */
export class RefusedServer extends Error {
  override readonly name = 'RefusedServer';
}

/** Answers that say "not this server, not now": the command had no effect, and a new connection may reach the right one. */
const elsewhere = new Set(['LOADING', 'READONLY', 'MASTERDOWN', 'MOVED', 'ASK', 'TRYAGAIN', 'CLUSTERDOWN', 'UNBLOCKED']);

const meanings: ReadonlyMap<string, string> = new Map([
  ['LOADING', 'it is still loading its data'],
  ['READONLY', 'it is a replica and accepts no writes'],
  ['MASTERDOWN', 'it is a replica that has lost its primary'],
  ['MOVED', 'the keys have moved to another node of the cluster'],
  ['ASK', 'the keys are being moved to another node of the cluster'],
  ['TRYAGAIN', 'the keys are being moved to another node of the cluster'],
  ['CLUSTERDOWN', 'the cluster is down'],
  ['BUSY', 'it is busy with a script of another client'],
  ['OOM', 'it is out of memory (maxmemory is reached)'],
  ['MISCONF', 'it refuses writes because it cannot save its data to disk'],
  ['NOREPLICAS', 'it refuses writes because too few replicas are connected'],
  ['NOAUTH', 'it demands a password'],
  ['WRONGPASS', 'it refuses the user name or password'],
  ['NOPERM', 'the user may not run a command that the store needs'],
]);

/** Whether the command can be tried again, unchanged, on a new connection. */
export function isElsewhere(error: unknown): error is ReplyError {
  return error instanceof ReplyError && elsewhere.has(error.code);
}

/** Whether a node of a cluster redirects to another one, which is no failure: the other one can be used at once. */
export function isRedirection(error: unknown): error is ReplyError {
  return error instanceof ReplyError && (error.code === 'MOVED' || error.code === 'ASK');
}

/**
 * Whether the keys of a command are on two nodes because their slot is migrating: the command can be retried shortly. A script gets another error
 * when it uses a key that has been moved already.
 */
export function isInMotion(error: unknown): error is ReplyError {
  return error instanceof ReplyError && (error.code === 'TRYAGAIN' || error.message.includes('access a non local key'));
}

/** The node that `ASK SLOT HOST:PORT` names; one without a name is on the host that was asked. */
export function askedNode({message}: ReplyError, {host}: Address): Address | undefined {
  const [, name, port] = /^ASK \d+ (.*):(\d+)$/.exec(message) ?? [];
  return port === undefined ? undefined : {host: name || host, port: Number(port)};
}

/** Whether Redis refused a write because its memory is full. */
export function isOutOfMemory(error: unknown): boolean {
  return error instanceof ReplyError && error.code === 'OOM';
}

/** The reason of a failure, for a sentence that begins with the name of the server. */
export function reasonOf(error: unknown): string {
  if (error instanceof ReplyError) {
    const meaning = meanings.get(error.code);
    if (meaning === undefined) return error.message;
    // Only the message of Redis says what NOPERM refuses.
    return error.code === 'NOPERM' ? `${meaning}: ${error.message}` : meaning;
  }
  return error instanceof Error ? error.message : String(error);
}

/** A sentence about why a server cannot be used. */
export function problemText(error: unknown, server: string): string {
  // The text says so already.
  if (StoreError.is(error)) return error.message;
  const isThere = error instanceof ReplyError || error instanceof RefusedServer;
  return `Redis at ${server} cannot be ${isThere ? 'used' : 'reached'}: ${reasonOf(error)}`;
}

/**
 * The store's error for a failed command. Errors of Redis are `Unavailable`: none of them is the caller's fault, and all
 * end once the server is repaired. Only data of the wrong type under the store's keys is `Corrupt`.
 */
export function toStoreError(error: unknown, server: string): StoreError {
  if (StoreError.is(error)) return error;
  if (error instanceof ReplyError && (error.code === 'WRONGTYPE' || /equal or smaller than the target/.test(error.message))) {
    return new StoreError('Corrupt', `Redis at ${server} holds data that this store did not write: ${error.message}`, {cause: error});
  }
  return new StoreError('Unavailable', problemText(error, server), {cause: error});
}

/** The same error for a commit that was sent and may have taken effect. */
export function indeterminate(error: StoreError): StoreError {
  // The change may be durable, so the error must not look like a refusal.
  const code = error.code === 'EpochChanged' || error.code === 'Closed' ? error.code : 'Unavailable';
  return new StoreError(code, `${error.message}; whether the change took effect is unknown`, {indeterminate: true, cause: error});
}
