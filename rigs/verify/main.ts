// The verification of stores: npm run verify -- --help
import {existsSync} from 'node:fs';
import {parseArgs} from 'node:util';
import {injections} from './run/faults.js';
import {targets} from './run/targets.js';
import {verification, type VerificationReport} from './run/verification.js';
import {withCleanup} from '../with-cleanup.js';

const help = `npm run verify -- [options]

Many clients work on few objects of several servers while things are done to the store and the servers. All that the clients saw is then
held against what a store promises: writes and reads are linearizable, a version stands for one state for ever, watches have every change in order
and once, a wish makes one object at most, and where acknowledged writes are lost as the documents say, every watcher is told.

  --store NAME   ${Object.keys(targets).join(', ')}; all one after the other by default
  --minutes N    for each store; 10 by default
  --faults LIST  names of what is done, or parts of them, with commas; all by default
  --seed N       of the random choices; the time by default
  --servers N    3 by default
  --clients N    of each server; 16 by default
  --list         names what can be done

Clocks are stepped where libfaketime is installed (Debian: faketime), the disk is filled where tmpfs may be mounted. The exit code is 1 when
anything is wrong.
`;

const {values} = parseArgs({
  options: {
    store: {type: 'string'},
    minutes: {type: 'string', default: '10'},
    faults: {type: 'string'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    servers: {type: 'string', default: '3'},
    clients: {type: 'string', default: '16'},
    list: {type: 'boolean', default: false},
    help: {type: 'boolean', default: false},
  },
});

const fakeTime = ['x86_64', 'aarch64'].map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketime.so.1`).find(existsSync);

if (values.help) {
  console.log(help);
} else if (values.list) {
  for (const {name, loses} of injections) console.log(loses === true ? `${name} (may lose acknowledged writes)` : name);
} else {
  const seed = Number(values.seed);
  console.log(`seed ${seed}`);
  const reports: VerificationReport[] = [];
  for (const store of values.store?.split(',') ?? Object.keys(targets)) {
    if (!(store in targets)) throw new Error(`there is no store ${store}: ${Object.keys(targets).join(', ')}`);
    reports.push(await verify(store, seed));
  }
  for (const report of reports) print(report);
  process.exit(reports.some(({faults}) => faults.length > 0) ? 1 : 0);
}

async function verify(store: string, seed: number): Promise<VerificationReport> {
  return withCleanup((t) =>
    verification(t, {
      store,
      seconds: Number(values.minutes) * 60,
      seed,
      servers: Number(values.servers),
      clientsOfServer: Number(values.clients),
      ...(values.faults === undefined ? {} : {faults: values.faults.split(',')}),
      ...(fakeTime === undefined ? {} : {fakeTime}),
      tell: (text) => console.log(text),
    }),
  );
}

function print(report: VerificationReport): void {
  const times = report.rows.reduce((sum, row) => sum + row.times, 0);
  console.log(`\n${report.store}: ${report.operations} operations (${report.unknown} without an answer), ${times} injections`);
  console.log(
    `  ${report.versions} versions, ${report.intents} wishes, ${report.expired} watches told that they are too old, ${report.undecided} undecided`,
  );
  console.log(`  ${'injection'.padEnd(44)}${'times'.padStart(6)}${'lossy'.padStart(7)}${'at rest after'.padStart(15)}`);
  for (const {name, times: count, lossy, settledMillis} of report.rows) {
    console.log(
      `  ${name.padEnd(44)}${String(count).padStart(6)}${String(lossy).padStart(7)}${`${(settledMillis / 1000).toFixed(1)} s`.padStart(15)}`,
    );
  }
  console.log(`  ${report.faults.length} faults`);
  for (const fault of report.faults.slice(0, 40)) console.log(`    ${fault}`);
}
