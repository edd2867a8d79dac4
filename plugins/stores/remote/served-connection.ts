import type {Socket} from 'node:net';
import type {LogEntry, LogFollower, Store} from '../../../sdk/index.js';
import {encodeFrame, FrameReader} from './frames.js';
import type {WritableHead} from './head-file.js';
import {entryRow, errorRow, type Answer, type FollowerMessage, type Request} from './messages.js';

/** A process that takes nothing of what it is sent is cut off when this much waits for it; it comes back and goes on where it was. */
const maximumUnsentBytes = 64 * 1024 * 1024;
/** A part of a long answer. */
const partBytes = 1024 * 1024;
const partRows = 5000;

interface Row {
  readonly row: readonly unknown[];
  readonly values: readonly (Buffer | null)[];
}

/** One process that uses the store. */
export class ServedConnection {
  readonly #socket: Socket;
  readonly #store: Store;
  readonly #head: WritableHead;
  readonly #followers = new Map<number, LogFollower | undefined>();

  constructor(socket: Socket, store: Store, head: WritableHead) {
    this.#socket = socket;
    this.#store = store;
    this.#head = head;
  }

  start(): void {
    const reader = new FrameReader(({head, values}) => void this.#serve(head as Request & {id: number}, values));
    this.#socket.on('data', (chunk: Buffer) => {
      try {
        reader.push(chunk);
      } catch {
        this.#socket.destroy();
      }
    });
    this.#socket.on('error', () => this.#socket.destroy());
    this.#socket.once('close', () => {
      for (const follower of this.#followers.values()) follower?.close();
      this.#followers.clear();
    });
  }

  async #serve(request: Request & {readonly id: number}, values: readonly (Buffer | null)[]): Promise<void> {
    const {id} = request;
    try {
      await this.#answer(id, request, values);
    } catch (error) {
      const {row, values: own} = errorRow(error);
      this.#send({id, error: row} satisfies Answer, own);
    }
  }

  async #answer(id: number, request: Request, values: readonly (Buffer | null)[]): Promise<void> {
    const store = this.#store;
    const done = (result: unknown, own: readonly (Buffer | null)[] = []) => {
      this.#send({id, result} satisfies Answer, own);
    };
    switch (request.op) {
      case 'commit': {
        const {type, key, expected, guard} = request;
        const [value = null] = values;
        const revision = await store.commit({type, key, expected, guard, value});
        this.#head.raise(revision);
        return done(revision);
      }
      case 'read': {
        const record = await store.read(request.type, request.key);
        if (!record) return done(null);
        this.#head.raise(record.revision);
        return done([record.key, record.revision], [record.value]);
      }
      case 'list': {
        const contents = await store.list(request.type);
        const {revision} = contents;
        const records = [...contents.records];
        for (const record of records) this.#head.raise(record.revision);
        this.#head.raise(revision);
        return this.#sendRows(
          id,
          {revision},
          records.map((record) => ({row: [record.key, record.revision], values: [record.value]})),
        );
      }
      case 'history': {
        const {floor, revision, entries} = await store.history(request.type);
        this.#head.raise(revision);
        return this.#sendRows(
          id,
          {floor, revision},
          entries.map((entry) => ({row: entryRow(entry), values: [entry.value, entry.previous?.value ?? null]})),
        );
      }
      case 'types':
        return done((await store.types?.()) ?? []);
      case 'ping':
        return done(await store.ping());
      case 'compact':
        return done(await store.compact(0, request.upTo));
      case 'follow':
        return done(await this.#follow(request.follower, request.after));
      case 'unfollow':
        this.#followers.get(request.follower)?.close();
        this.#followers.delete(request.follower);
        return done(null);
    }
  }

  async #follow(id: number, after: number): Promise<null> {
    // Known before it is there: it may be given up while it catches up.
    this.#followers.set(id, undefined);
    const isWanted = () => this.#followers.has(id) && !this.#socket.destroyed;
    const follower = await this.#store.follow(0, after, {
      onEntries: (entries, upTo = entries.at(-1)!.revision) => {
        // Whoever hears of a change, the others find it from then on.
        this.#head.raise(upTo);
        if (isWanted()) this.#sendEntries(id, entries, upTo);
      },
      onEnd: (error) => {
        if (isWanted()) this.#send({follower: id, end: errorRow(error).row} satisfies FollowerMessage);
        this.#followers.delete(id);
      },
    });
    if (!isWanted()) follower.close();
    else this.#followers.set(id, follower);
    return null;
  }

  #sendEntries(follower: number, entries: readonly LogEntry[], upTo: number): void {
    this.#send(
      {follower, upTo, entries: entries.map(entryRow)} satisfies FollowerMessage,
      entries.map(({value}) => value),
    );
    if (this.#socket.writableLength > maximumUnsentBytes) this.#socket.destroy();
  }

  /** Sends a long answer in parts, as fast as they are taken. */
  async #sendRows(id: number, last: object, rows: readonly Row[]): Promise<void> {
    for (let from = 0; from < rows.length && !this.#socket.destroyed;) {
      let bytes = 0;
      let to = from;
      while (to < rows.length && to - from < partRows && bytes < partBytes) {
        for (const value of rows[to]!.values) bytes += value?.length ?? 0;
        to += 1;
      }
      const part = rows.slice(from, to);
      from = to;
      const taken = this.#send(
        {id, more: true, result: part.map(({row}) => row)} satisfies Answer,
        part.flatMap(({values}) => values),
      );
      if (!taken) await drained(this.#socket);
    }
    this.#send({id, result: last} satisfies Answer);
  }

  #send(head: object, values: readonly (Buffer | null)[] = []): boolean {
    return this.#socket.destroyed || this.#socket.write(encodeFrame(head, values));
  }
}

/** Resolves when the other side has taken what was sent, or is gone. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done);
      resolve();
    };
    socket.on('drain', done).on('close', done);
  });
}
