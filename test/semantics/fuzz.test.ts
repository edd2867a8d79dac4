import {Agent, request as httpsRequest} from 'node:https';
import test, {type ExecutionContext} from 'ava';
import type {Logger} from '@orch-api/orch/sdk';
import {readServerFile, startTestServer, type TestServer} from '@orch-api/orch/testing';
import {startRedis} from '../helpers/redis-server.js';
import {configMap, withFixtures, type ReadObject} from './fixtures.js';
import {faultOf, type FuzzResponse} from './fuzz/outcome.js';
import {Random} from '../helpers/random.js';
import {randomRequest, type FuzzRequest} from './fuzz/requests.js';

/** `ORCH_FUZZ_SECONDS` lets it run longer, `ORCH_TEST_SEED` elsewhere. */
const seconds = Number(process.env['ORCH_FUZZ_SECONDS'] ?? 4);
const seed = Number(process.env['ORCH_TEST_SEED'] ?? 20_260_102);
const workers = 6;
const answerMillis = 20_000;

/** Collects what the server logs as an error: a bug, whatever was answered. */
function errorLogger(errors: string[]): Logger {
  const quiet = () => undefined;
  const logger: Logger = {
    trace: quiet,
    debug: quiet,
    info: quiet,
    warn: quiet,
    error: (...entry: unknown[]) =>
      void errors.push(entry.map((part) => (part as {err?: Error}).err?.stack ?? JSON.stringify(part)).join(' ')),
    child: () => logger,
  } as unknown as Logger;
  return logger;
}

/** Sends one request, as it is, and answers the whole response. Rejects when there is none in time. */
function send(server: TestServer, agent: Agent, {method, path, headers, body}: FuzzRequest): Promise<FuzzResponse> {
  const {hostname, port} = new URL(server.url);
  return new Promise((resolve, reject) => {
    const length: Record<string, string> = body === undefined ? {} : {'content-length': String(body.bytes.length)};
    const call = httpsRequest(
      {hostname, port, path, method, agent, headers: {...headers, ...length}, signal: AbortSignal.timeout(answerMillis)},
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => resolve({status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks)}));
      },
    );
    call.once('error', reject);
    call.end(body?.bytes);
  });
}

/** A request as text with which it can be made again. */
function shown({method, path, headers, body}: FuzzRequest): string {
  return `${method} ${path} ${JSON.stringify(headers)} ${body === undefined ? '' : JSON.stringify(body.bytes.toString('latin1').slice(0, 2000))}`;
}

async function fuzz(t: ExecutionContext, store: string): Promise<void> {
  const errors: string[] = [];
  const server = await startTestServer({...withFixtures, store, logger: errorLogger(errors)});
  t.teardown(() => server.stop());
  const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readServerFile(server, 'pki', name)));
  const agent = new Agent({ca, cert, key, keepAlive: true});
  t.teardown(() => agent.destroy());
  await server.client.post('/api/v1/namespaces', {metadata: {name: 'fuzz'}});

  const deadline = performance.now() + seconds * 1000;
  const faults: string[] = [];
  const codes = new Map<number, number>();
  const tokens: string[] = [];
  const worker = async (number: number): Promise<void> => {
    const random = new Random(seed + number);
    while (performance.now() < deadline && faults.length < 5) {
      const request = randomRequest(random, tokens);
      const logged = errors.length;
      const response = await send(server, agent, request).catch((error: unknown) => error as Error);
      const fault = response instanceof Error ? `no answer: ${response.message}` : faultOf(request, response);
      if (fault !== undefined) faults.push(`${fault}\n  ${shown(request)}\n  ${errors.slice(logged).join('\n  ')}`);
      if (response instanceof Error) continue;
      codes.set(response.status, (codes.get(response.status) ?? 0) + 1);
      const next = /"continue":"([\w-]+)"/.exec(response.body.toString());
      if (next && tokens.push(next[1]!) > 20) tokens.shift();
    }
  };
  await Promise.all(Array.from({length: workers}, (_, number) => worker(number)));

  t.log(
    `seed ${seed}, ${seconds} s, answers ${[...codes]
      .sort(([a], [b]) => a - b)
      .map(([code, count]) => `${code}: ${count}`)
      .join(', ')}`,
  );
  t.deepEqual(faults, []);
  t.deepEqual(errors, []);
  for (const code of [200, 201, 400, 404, 405, 415, 422]) t.true(codes.has(code), `no request was answered with ${code}`);
  // The server is as well as before.
  t.is((await server.client.get('/readyz')).body.toString(), 'ok');
  const made = (await server.client.post('/api/v1/namespaces/default/configmaps', configMap('healthy', {a: 'b'}))).json<ReadObject>();
  t.deepEqual((await server.client.get('/api/v1/namespaces/default/configmaps/healthy')).json<ReadObject>(), made);
}

test.serial('random requests find no 500, no crash, no hang and no failure that is not a Status (memory)', async (t) => {
  t.timeout((seconds + 60) * 1000);
  await fuzz(t, 'memory');
});

test.serial('random requests find no 500, no crash, no hang and no failure that is not a Status (redis)', async (t) => {
  t.timeout((seconds + 60) * 1000);
  const redis = await startRedis(t);
  await fuzz(t, redis.url);
});
