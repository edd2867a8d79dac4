import {get} from 'node:http';
import {isAbsolute} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';

/** Where an etcd of `orch envtest` keeps the objects of the API server that is given its URL. */
export interface EtcdData {
  /** Absolute path. */
  readonly dataDir: string;
  /** Whether writes are synced to disk. */
  readonly sync: boolean;
}

/** Path at which the etcd answers it. */
export const dataPath = '/orch/data';
const timeoutMillis = 5000;
/** Milliseconds to retry an etcd that does not listen yet: test suites start both programs at once. */
const startMillis = 10_000;
const pauseMillis = 50;
const maximumBytes = 64 * 1024;

/** Asks an etcd. @throws Error in one sentence */
export async function dataOf(url: string): Promise<EtcdData> {
  let address;
  try {
    address = new URL(dataPath, url);
  } catch {
    throw new Error(`--etcd-servers ${JSON.stringify(url)} is no URL; give that of the etcd of orch envtest, as in http://127.0.0.1:2379`);
  }
  if (address.protocol !== 'http:') throw new Error(`--etcd-servers ${url}: the etcd of orch envtest speaks http only`);
  const answer = await whenUp(address).catch((error: Error) => {
    throw new Error(`--etcd-servers ${url} does not answer as the etcd of orch envtest does: ${error.message}`);
  });
  const {dataDir, sync} = JSON.parse(answer) as Partial<EtcdData>;
  if (typeof dataDir !== 'string' || !isAbsolute(dataDir) || typeof sync !== 'boolean') {
    throw new Error(`--etcd-servers ${url} does not say where its data is; it must be the etcd of the same orch envtest`);
  }
  return {dataDir, sync};
}

async function whenUp(address: URL): Promise<string> {
  const end = performance.now() + startMillis;
  for (;;) {
    try {
      return await body(address);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED' || performance.now() > end) throw error;
    }
    await delay(pauseMillis);
  }
}

function body(address: URL): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(address, {agent: false, timeout: timeoutMillis}, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maximumBytes) request.destroy(new Error('the answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(`status ${response.statusCode}`))));
    });
    request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMillis / 1000} s`)));
    request.on('error', reject);
  });
}
