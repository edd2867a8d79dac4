import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {longestTurn} from '../../test/helpers/longest-turn.js';
import {readKubeconfig} from '../../test/helpers/kubeconfig.js';
import {LoadProcess} from './load-process.js';
import {median} from './percentile.js';
import type {Target} from './work.js';

/** What scrapes of a server's metrics cost its event loop. */
export interface ScrapeResult {
  readonly series: number;
  readonly megabytes: number;
  /** Milliseconds of processor of the loop's thread for one scrape, connection included: the middle and the greatest. */
  readonly total: number;
  readonly most: number;
  /** The longest turn of the loop in milliseconds of processor: the middle of the scrapes, and the greatest. */
  readonly turn: number;
  readonly longestTurn: number;
  /** The same while other clients keep the server busy, and while they do so and nobody scrapes. */
  readonly busyTurn: number;
  readonly busyLongestTurn: number;
  readonly unscrapedTurn: number;
  readonly unscrapedLongestTurn: number;
  readonly failures: number;
}

const definitions = 100;
const objects = 2_000;
const concurrency = 20;
const bench = 'bench';
const group = 'scrape.example.com';

/**
 * Fills a server of this process with definitions and objects, has each type used in several ways, so that there are many series, and scrapes it from another process, alone
 * and beside 20 connections that read and write as fast as they can.
 */
export async function measureScrape(quick: boolean, progress: (text: string) => void = () => undefined): Promise<ScrapeResult> {
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    progress('scrape: filling a server');
    const server = await startTestServer({strictAdmission: false});
    cleanups.unshift(() => server.stop());
    await fill(server);
    const [scraper, load] = [new LoadProcess(), new LoadProcess()];
    cleanups.unshift(
      () => scraper.close(),
      () => load.close(),
    );
    const target: Target = readKubeconfig(server.kubeconfig);
    await scraper.run({kind: 'connect', targets: [target], concurrency: 1});
    await load.run({kind: 'connect', targets: [target], concurrency});
    await load.run({kind: 'namespace', name: bench});
    await load.run({kind: 'requests', work: 'create', namespace: bench, count: 500, maxSeconds: 60, objects: 500});
    let failures = 0;
    const scrape = async () => {
      failures += (await scraper.run({kind: 'requests', work: 'scrape', namespace: bench, count: 1, maxSeconds: 30, objects: 1})).failures;
    };
    // What runs for the first time is compiled, and texts are made that later scrapes find.
    for (let index = 0; index < 30; index += 1) await scrape();

    progress('scrape: alone');
    const scrapes = quick ? 30 : 100;
    const totals: number[] = [];
    const turns: number[] = [];
    for (let index = 0; index < scrapes; index += 1) {
      // Something has changed, as it will have between two scrapes.
      await load.run({kind: 'requests', work: 'update', namespace: bench, count: 20, maxSeconds: 5, objects: 500});
      // One after the other: looking at the turns takes the processor for as long as the client reads.
      if (index % 2 === 0) {
        turns.push((await longestTurn(scrape)).longestMillis);
        continue;
      }
      const before = process.threadCpuUsage();
      await scrape();
      const {user, system} = process.threadCpuUsage(before);
      totals.push((user + system) / 1_000);
    }
    const busy = {scraped: [] as number[], unscraped: [] as number[]};
    progress('scrape: beside others');
    for (let index = 0; index < scrapes / 2; index += 1) {
      for (const kind of ['scraped', 'unscraped'] as const) {
        const work = index % 2 === 0 ? 'get' : 'update';
        const others = load.run({kind: 'requests', work, namespace: bench, count: 600, maxSeconds: 5, objects: 500});
        const {longestMillis} = await longestTurn(async () => {
          if (kind === 'scraped') await scrape();
          await others;
        });
        failures += (await others).failures;
        busy[kind].push(longestMillis);
      }
    }
    const text = (await server.client.get('/metrics')).body;
    return {
      series: text
        .toString()
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('#')).length,
      megabytes: text.length / 2 ** 20,
      total: median(totals),
      most: Math.max(...totals),
      turn: median(turns),
      longestTurn: Math.max(...turns),
      busyTurn: median(busy.scraped),
      busyLongestTurn: Math.max(...busy.scraped),
      unscrapedTurn: median(busy.unscraped),
      unscrapedLongestTurn: Math.max(...busy.unscraped),
      failures,
    };
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** Definitions, objects of them and of built-in types, and requests of each verb for every type. */
async function fill({client}: TestServer): Promise<void> {
  const done = async (answer: Promise<{status: number; body: Buffer}>) => {
    const {status, body} = await answer;
    if (status >= 300) throw new Error(`filling the server: status ${status} ${body.toString()}`);
  };
  await done(client.post('/api/v1/namespaces', {metadata: {name: 'full'}}));
  const schema = {openAPIV3Schema: {type: 'object', 'x-preserve-unknown-fields': true}};
  const kinds = Array.from({length: definitions}, (_, index) => `kind${index}`);
  for (const kind of kinds) {
    const names = {plural: `${kind}s`, singular: kind, kind: `K${kind.slice(1)}`};
    await done(
      client.post('/apis/apiextensions.orch/v1/customresourcedefinitions', {
        metadata: {name: `${kind}s.${group}`},
        spec: {group, names, scope: 'Namespaced', versions: [{name: 'v1', served: true, storage: true, schema}]},
      }),
    );
  }
  const paths = [
    ...kinds.map((kind) => ({
      path: `/apis/${group}/v1/namespaces/full/${kind}s`,
      body: {apiVersion: `${group}/v1`, kind: `K${kind.slice(1)}`},
    })),
    ...['configmaps', 'secrets', 'serviceaccounts', 'endpoints'].map((plural) => ({path: `/api/v1/namespaces/full/${plural}`, body: {}})),
  ];
  const each = Math.ceil(objects / paths.length);
  for (const {path, body} of paths) {
    // The server serves a new type some moments after its definition.
    for (let tries = 0; (await client.get(path)).status === 404 && tries < 500; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 10));
    const posts = Array.from({length: each}, (_, index) => done(client.post(path, {...body, metadata: {name: `n${index}`}})));
    await Promise.all(posts);
    const named = `${path}/n0`;
    await done(client.get(named));
    await done(client.patch(named, {metadata: {labels: {a: 'b'}}}));
    const object = (await client.get(named)).json<object>();
    await done(client.put(named, object));
    await done(client.get(path.replace('/namespaces/full', '')));
    await done(client.delete(`${path}/n1`));
    const watching = new AbortController();
    for await (const event of client.watch(`${path}?watch=1`, {signal: watching.signal})) if (event.type === 'ADDED') break;
    watching.abort();
  }
}
