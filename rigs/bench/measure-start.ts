import {execFileSync, spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as sleep} from 'node:timers/promises';
import {EnvtestPair} from '../../test/helpers/envtest-pair.js';
import {httpsClient} from '../../test/helpers/https-client.js';
import {commandLine} from '../../test/helpers/orch-process.js';
import {definitionName, definitionText} from './definition-text.js';
import {median} from './percentile.js';
import {cpuSeconds, residentMegabytes} from './process-usage.js';

/** What a suite of an operator waits for and pays: `kube-apiserver` and `etcd` of `orch envtest`. */
export interface StartResult {
  /** Of Node.js with nothing to do, from start to end, for comparison. */
  readonly bareMillis: number;
  /** From the start of kube-apiserver, on an empty data folder, to its first 200 at /healthz; until its end after SIGTERM. Medians. */
  readonly readyMillis: number;
  readonly cpuMillis: number;
  readonly stopMillis: number;
  readonly starts: number;
  /** Started at once, until all are ready. */
  readonly pairs: {readonly count: number; readonly millis: number};
  /** Resident MB of kube-apiserver: ready, and after these definitions; `own` without the code of Node.js, which all of them share. */
  readonly memory: {
    readonly ready: number;
    readonly definitions: number;
    readonly loaded: number;
    readonly own: number;
    readonly etcd: number;
  };
  /** Files that were there when everything had ended. */
  readonly left: number;
}

const pairCount = 8;
const definitionCount = 100;
const settleMillis = 8_000;
/** How often it is asked whether they are ready. */
const everyMillis = 10;

export async function measureStart(starts: number, progress: (text: string) => void): Promise<StartResult> {
  const temporary = process.env['TMPDIR'];
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  const [assets, work] = [join(folder, 'assets'), join(folder, 'work')];
  mkdirSync(work);
  execFileSync(process.execPath, [commandLine, 'envtest', assets], {stdio: 'ignore'});
  // What is left in it is left behind.
  process.env['TMPDIR'] = work;
  try {
    progress('start: one pair');
    const bareMillis = bareNode();
    const alone: {ready: number; cpu: number; stop: number; resident: number}[] = [];
    // The first one finds no compiled code.
    for (let start = 0; start <= starts; start++) {
      const pair = await new EnvtestPair(assets, everyMillis).start();
      const [cpu, resident] = [cpuSeconds([pair.api.child.pid!]) * 1000, residentMegabytes(pair.api.child.pid!).now];
      const {millis: stop} = await pair.api.stop();
      if (start > 0) alone.push({ready: pair.api.readyMillis, cpu, stop, resident});
      await pair.stop();
    }
    progress(`start: ${pairCount} pairs at once`);
    const began = performance.now();
    const pairs = await Promise.all(Array.from({length: pairCount}, () => new EnvtestPair(assets, everyMillis).start()));
    const millis = performance.now() - began;
    await Promise.all(pairs.map((pair) => pair.stop()));
    const loaded = await withDefinitions(assets, progress);
    return {
      bareMillis,
      readyMillis: median(alone.map(({ready}) => ready)),
      cpuMillis: median(alone.map(({cpu}) => cpu)),
      stopMillis: median(alone.map(({stop}) => stop)),
      starts,
      pairs: {count: pairCount, millis},
      memory: {ready: median(alone.map(({resident}) => resident)), definitions: definitionCount, ...loaded},
      left: readdirSync(work).length,
    };
  } finally {
    if (temporary === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = temporary;
    rmSync(folder, {recursive: true, force: true});
  }
}

async function withDefinitions(assets: string, progress: (text: string) => void): Promise<{loaded: number; own: number; etcd: number}> {
  progress(`start: ${definitionCount} definitions`);
  const pair = await new EnvtestPair(assets, everyMillis).start();
  const cleanups: (() => void | Promise<void>)[] = [];
  try {
    const {certificate: cert, key} = await pair.user('admin', ['system:masters']);
    const client = httpsClient(
      {teardown: (cleanup) => void cleanups.push(cleanup)},
      {url: pair.api.url, ca: pair.servingAuthority.certificate, cert, key},
    );
    const collection = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    for (let index = 0; index < definitionCount; index++) {
      const {status, text} = await client.request('POST', collection, {
        headers: {'content-type': 'application/json'},
        body: JSON.parse(definitionText(index)),
      });
      if (status !== 201) throw new Error(`${definitionName(index)}: status ${status} ${text}`);
    }
    // What was busy gives memory back when it is idle, and suites measure nothing else.
    await sleep(settleMillis);
    const {now: loaded, own} = residentMegabytes(pair.api.child.pid!);
    return {loaded, own, etcd: residentMegabytes(pair.etcd.child.pid!).now};
  } finally {
    for (const cleanup of cleanups) await cleanup();
    await pair.stop();
  }
}

function bareNode(): number {
  const runs = Array.from({length: 5}, () => {
    const began = performance.now();
    spawnSync(process.execPath, ['-e', '0']);
    return performance.now() - began;
  });
  return median(runs);
}
