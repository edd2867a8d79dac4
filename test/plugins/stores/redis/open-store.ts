import 'reflect-metadata';
import type {ExecutionContext} from 'ava';
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import process from 'node:process';
import {RedisStoreProvider} from '#bundle/plugins/stores/redis/plugin.js';
import type {Logger, Store} from '@orch-api/orch/sdk';

export const drivers = ['ioredis', 'redis'] as const;

/** A log whose lines a test can look at. */
export class RecordingLogger implements Logger {
  readonly lines: string[] = [];
  readonly trace = (): void => undefined;
  readonly debug = (): void => undefined;
  readonly info = (_: object, message: string): void => void this.lines.push(`info ${message}`);
  readonly warn = (_: object, message: string): void => void this.lines.push(`warn ${message}`);
  readonly error = (_: object, message: string): void => void this.lines.push(`error ${message}`);
  child(): Logger {
    return this;
  }
}

export interface OpenOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly historyMillis?: number;
  readonly logger?: Logger;
  readonly signal?: AbortSignal;
  /** Where the store is remembered; a new folder by default. */
  readonly dataDir?: string;
}

/** Folders of stores without one of their own, all in this one. */
const folders = mkdtempSync(join(tmpdir(), 'orch-redis-store-'));
let count = 0;
process.on('exit', () => rmSync(folders, {recursive: true, force: true}));

/** Opens a store as the server does; the caller closes it. */
export function openStore(
  url: string,
  {
    config = {},
    historyMillis = 300_000,
    logger = new RecordingLogger(),
    signal = new AbortController().signal,
    dataDir = join(folders, String(++count)),
  }: OpenOptions = {},
): Promise<Store> {
  return new RedisStoreProvider(config, logger).open({url, dataDir, historyMillis}, signal);
}

/** Opens a store that is closed at the end of the test. */
export async function openFor(t: ExecutionContext, url: string, options?: OpenOptions): Promise<Store> {
  const store = await openStore(url, options);
  t.teardown(() => store.close());
  return store;
}
