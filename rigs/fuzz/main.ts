// The fuzz: npm run fuzz -- --help
import type {ExecutionContext} from 'ava';
import {startRedis} from '../../test/helpers/redis-server.js';
import {FuzzUsageError, help, readSettings, type FuzzSettings} from './options.js';
import {record} from './record/record.js';
import {Fuzz, type Fault, type FuzzResult, type Progress} from './run/fuzz.js';
import type {FuzzTarget} from './run/fuzz-server.js';
import {readReproduction, reproduce, Trial, writeReproduction} from './run/reproduction.js';

const cleanups: (() => void | Promise<void>)[] = [];

/** The chosen release and store. */
async function targetOf({store, release}: FuzzSettings): Promise<FuzzTarget> {
  if (store !== 'redis') return {release, emptyStore: async () => (store === 'memory' ? 'memory' : undefined)};
  // All that the helper asks of a test is a place for its cleanup.
  const redis = await startRedis({teardown: (cleanup: () => void) => cleanups.push(cleanup)} as unknown as ExecutionContext);
  return {
    release,
    emptyStore: async () => {
      await redis.client().flushall();
      return redis.url;
    },
  };
}

function report({requests, seconds, answers, readBacks, faults, holdings, slowest, failures, turns}: FuzzResult): string {
  const counts = [...answers].sort(([a], [b]) => a.localeCompare(b)).map(([answer, count]) => `${answer}: ${count}`);
  return [
    `${requests} requests in ${seconds.toFixed(0)} s (${(requests / seconds).toFixed(0)} a second), ${readBacks} writes read back`,
    `answers ${counts.join(', ')}`,
    `held behind sweeps, in MB: ${holdings.map(({heap, external}) => (heap + external).toFixed(0)).join(' ')}`,
    turns,
    'slowest answers:',
    ...slowest.map(({millis, request}) => `  ${millis.toFixed(0)} ms  ${request}`),
    ...[...faults].map(([signature, count]) => `FAULT ×${count}  ${signature}`),
    ...failures.map((failure) => `FAULT ${failure}`),
  ].join('\n');
}

function onProgress({requests, perSecond, faults, holding}: Progress): void {
  const memory = holding ? `, ${(holding.heap + holding.external).toFixed(0)} MB held, ${holding.resident.toFixed(0)} MB resident` : '';
  console.log(`${requests} requests, ${perSecond.toFixed(0)} a second, ${faults} faults${memory}`);
}

async function fuzz(settings: FuzzSettings): Promise<void> {
  console.log(`seed ${settings.seed}, ${settings.requests} requests, release ${settings.release}, store ${settings.store}`);
  const target = await targetOf(settings);
  const found: {fault: Fault; file: string}[] = [];
  const onFault = (fault: Fault) => {
    const {request, before, errors, answer} = fault;
    const name = `${settings.seed}-${settings.store}-${found.length + 1}`;
    const file = writeReproduction(settings.out, name, {fault: fault.fault, errors, answer, reproduced: false, before, request});
    found.push({fault, file});
    console.log(
      `fault: ${fault.signature}\n  ${request.method} ${request.path.slice(0, 200)}\n  ${errors[0]?.split('\n').slice(0, 4).join('\n  ') ?? ''}\n  ${file}`,
    );
  };
  const result = await new Fuzz({
    requests: settings.requests,
    seed: settings.seed,
    connections: settings.connections,
    largePercent: settings.largePercent,
    target,
    onProgress,
    onFault,
  }).run();
  console.log(report(result));
  for (const [index, {fault}] of found.entries()) {
    const smaller = await reproduce(fault, target);
    const file = writeReproduction(settings.out, `${settings.seed}-${settings.store}-${index + 1}`, smaller);
    console.log(
      `${file}: ${smaller.reproduced ? `shows again, ${smaller.before.length} requests before it` : 'did not show again on a fresh server'}`,
    );
  }
  if (result.faults.size > 0 || result.failures.length > 0) process.exitCode = 1;
}

async function replay(settings: FuzzSettings, file: string): Promise<void> {
  const {before, request} = readReproduction(file);
  const trial = new Trial(await targetOf(settings));
  try {
    const seen = await trial.faultOf(before, request);
    console.log(seen ? `the fault is there: ${seen.fault}\n${seen.errors.join('\n')}` : 'answered as it should be');
    if (seen) process.exitCode = 1;
  } finally {
    await trial.end();
  }
}

async function main(): Promise<void> {
  const settings = readSettings(process.argv.slice(2));
  if (!settings) console.log(help);
  else if (settings.record) console.log(await record(settings.session));
  else if (settings.replay !== undefined) await replay(settings, settings.replay);
  else await fuzz(settings);
}

try {
  await main();
} catch (error) {
  console.error(error instanceof FuzzUsageError ? `fuzz: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups) await cleanup();
}
