import {setTimeout as delay} from 'node:timers/promises';
import type {HttpsResponse} from '../../../test/helpers/https-client.js';
import {Random} from '../../../test/helpers/random.js';
import type {Action, Answer, KnownObject} from '../check/history.js';
import type {Records} from './records.js';
import type {VerifyServer} from './verify-server.js';

export const collection = '/api/v1/namespaces/default/configmaps';
const requestMillis = 8000;
/** As often as client-go sends a request again. */
const retries = 10;

/** Where all clients stop between two operations. */
export interface Gate {
  /** False when the run is over. */
  pass(): Promise<boolean>;
}

/** One client that works on objects which all others work on as well, and notes what it sees. */
export class VerifyClient {
  readonly #id: number;
  readonly #server: VerifyServer;
  readonly #random: Random;
  readonly #records: Records;
  readonly #keys: number;
  readonly #known = new Map<string, {value: string; version: string}>();
  #serial = 0;

  constructor(id: number, server: VerifyServer, seed: number, records: Records, keys: number) {
    this.#id = id;
    this.#server = server;
    this.#random = new Random(seed);
    this.#records = records;
    this.#keys = keys;
  }

  async run(gate: Gate): Promise<void> {
    while (await gate.pass()) {
      if (this.#server.client === undefined) {
        await delay(20);
        continue;
      }
      const done = this.#random.chance(0.03) ? await this.#wish() : await this.#operate();
      // What is refused for now is not asked for in a tight loop.
      if (!done) await delay(20 + this.#random.below(60));
    }
  }

  /** Reads an object, as any client would, and notes it. Undefined when there was no answer. */
  async get(key: string): Promise<boolean> {
    const called = performance.now();
    const answer = await this.#send('GET', `${collection}/${key}`);
    const found = answer && this.#answer(answer, key, undefined);
    const noted = found?.kind === 'unknown' ? undefined : found;
    this.#records.note(this.#id, key, called, {kind: 'get'}, noted);
    return noted !== undefined;
  }

  async #operate(): Promise<boolean> {
    const key = `k${this.#random.below(this.#keys)}`;
    const known = this.#known.get(key);
    const dice = this.#random.below(100);
    if (known === undefined && dice >= 45) {
      if (dice < 65) return this.get(key);
      const value = this.#value();
      return this.#write(key, {kind: 'create', value}, 'POST', collection, {metadata: {name: key}, data: {value}});
    }
    if (known === undefined || dice < 45) return this.get(key);
    const expected = {expected: known.value, at: Number(known.version)};
    if (dice < 88) {
      const value = this.#value();
      const metadata = {name: key, resourceVersion: known.version};
      return this.#write(key, {kind: 'update', value, ...expected}, 'PUT', `${collection}/${key}`, {metadata, data: {value}});
    }
    const preconditions = {resourceVersion: known.version};
    return this.#write(key, {kind: 'delete', ...expected}, 'DELETE', `${collection}/${key}`, {preconditions});
  }

  async #write(key: string, action: Action, method: string, path: string, body: object): Promise<boolean> {
    const called = performance.now();
    const kind = method === 'DELETE' ? {kind: 'DeleteOptions', apiVersion: 'v1'} : {kind: 'ConfigMap', apiVersion: 'v1'};
    const response = await this.#send(method, path, {...kind, ...body});
    const answer = response && this.#answer(response, key, action);
    this.#records.note(this.#id, key, called, action, answer);
    return answer !== undefined;
  }

  /** One object with a name from the server; sent again by the rules of client-go, then removed. */
  async #wish(): Promise<boolean> {
    const intent = this.#value();
    this.#records.intents.intend(intent);
    const body = {kind: 'ConfigMap', apiVersion: 'v1', metadata: {generateName: 'wish-'}, data: {intent}};
    for (let attempt = 0; attempt <= retries; attempt++) {
      const response = await this.#send('POST', collection, body);
      this.#records.count += 1;
      if (response === undefined || response === 'unknown') return false;
      if (response.status === 201) {
        const made = response.json<KnownObject>();
        this.#records.see(made, false);
        await this.#send('DELETE', `${collection}/${made.metadata.name}`);
        return true;
      }
      if (response.headers['retry-after'] === undefined) return false;
      await delay(Math.min(Number(response.headers['retry-after']) * 1000, 200));
    }
    return false;
  }

  /** The answer; 'unknown' when there was none, undefined when the request cannot have reached the server. */
  async #send(method: string, path: string, body?: object): Promise<HttpsResponse | 'unknown' | undefined> {
    const {client} = this.#server;
    if (client === undefined) return undefined;
    try {
      return await client.request(method, path, {...(body === undefined ? {} : {body}), signal: AbortSignal.timeout(requestMillis)});
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? undefined : 'unknown';
    }
  }

  /** What an answer says; undefined if it says that nothing was done. */
  #answer(response: HttpsResponse | 'unknown', key: string, action: Action | undefined): Answer | undefined {
    if (response === 'unknown') return {kind: 'unknown'};
    const {status} = response;
    if (status === 200 || status === 201) {
      if (action?.kind === 'delete') {
        this.#known.delete(key);
        return {kind: 'ok'};
      }
      const object = response.json<KnownObject>();
      const {version} = this.#records.see(object, false);
      const value = object.data!.value!;
      this.#known.set(key, {value, version: object.metadata.resourceVersion});
      if (action !== undefined) this.#records.written.push({version, key});
      return action === undefined ? {kind: 'ok', value, version} : {kind: 'ok', version};
    }
    if (status === 404 || status === 409) {
      this.#known.delete(key);
      // After a loss the namespace itself may be away for a moment.
      if (/namespaces /.test(response.text)) return undefined;
      if (status === 404) return {kind: 'missing'};
      return {kind: /AlreadyExists/.test(response.text) ? 'exists' : 'conflict'};
    }
    if (status === 503 || status === 429) return undefined;
    if (status === 504) return {kind: 'unknown'};
    this.#records.faults.push(`${action?.kind ?? 'get'} ${key}: ${status} ${response.text.slice(0, 300)}`);
    return {kind: 'unknown'};
  }

  #value(): string {
    return `${this.#id}-${++this.#serial}`;
  }
}
