// The attacks: npm run attack -- --help
import {writeFileSync} from 'node:fs';
import {attacksOn, attackStores} from './attack-stores.js';
import {attacks} from './attacks.js';
import {AttackUsageError, help, readOptions} from './options.js';
import {reportHead, reportLine} from './report.js';
import {standardBounds} from './run/bounds.js';

const live = process.stderr.isTTY;

function progress(text: string): void {
  if (live) process.stderr.write(`\r\u001B[K${text}`);
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(help);
    return;
  }
  const chosen = attacks.filter(({name}) => options.isChosen(name));
  if (chosen.length === 0) throw new AttackUsageError('no attack has such a name: --list shows them');
  if (options.list) {
    for (const {name} of chosen) console.log(name);
    return;
  }
  const bounds = {...standardBounds, p99Millis: options.p99Millis ?? standardBounds.p99Millis};
  const started = performance.now();
  const cleanups: (() => void | Promise<void>)[] = [];
  const all = options.stores.reduce((sum, store) => sum + attacksOn(store, {attacks: chosen, stores: options.stores}).length, 0);
  let done = 0;
  const end = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    const verdicts = await attackStores(
      {teardown: (cleanup) => cleanups.push(cleanup)},
      {
        stores: options.stores,
        attacks: chosen,
        bounds,
        seed: options.seed,
        onStore: (store) => {
          progress('');
          console.log(`\n${reportHead(store, bounds)}`);
        },
        onBegin: ({name}, store) => progress(`${++done} of ${all}  ${name} on ${store}`),
        onVerdict: (verdict) => {
          progress('');
          console.log(reportLine(verdict));
        },
      },
    );
    const failed = verdicts.filter(({failures}) => failures.length > 0);
    const seconds = (performance.now() - started) / 1000;
    console.log(
      `\n${verdicts.length} attacks in ${seconds.toFixed(0)} s, seed ${options.seed}: ${verdicts.length - failed.length} held, ${failed.length} not`,
    );
    if (options.json !== undefined)
      writeFileSync(options.json, `${JSON.stringify({bounds, seed: options.seed, verdicts}, undefined, 2)}\n`);
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    await end();
  }
}

main().catch((error: unknown) => {
  progress('');
  console.error(error instanceof AttackUsageError ? `attack: ${error.message}` : error);
  process.exitCode = 1;
});
