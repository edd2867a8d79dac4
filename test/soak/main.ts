// The soak: npm run soak -- --help
import {parseArgs} from 'node:util';
import {soak} from './soak.js';

const help = `npm run soak -- [options]

Makes and deletes objects, owners, namespaces and types at random on two servers of one Redis, one of which is killed again and again. In the end
nothing may be there that should be gone, nothing gone that should be there, and no work may be left.

  --minutes N    how long; 30 by default
  --seed N       of the random choices; the time by default
  --workers N    how many make and delete side by side; 6 by default
  --interrupt N  seconds between two interruptions of a server; 20 by default
`;

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '30'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    workers: {type: 'string', default: '6'},
    interrupt: {type: 'string', default: '20'},
    help: {type: 'boolean', default: false},
  },
});
if (values.help) {
  console.log(help);
} else {
  const cleanups: (() => void | Promise<void>)[] = [];
  const end = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end().finally(() => process.exit(1)));
  try {
    const seed = Number(values.seed);
    console.log(`seed ${seed}`);
    const report = await soak(
      {teardown: (cleanup) => cleanups.push(cleanup)},
      {
        seconds: Number(values.minutes) * 60,
        seed,
        workers: Number(values.workers),
        interruptSeconds: Number(values.interrupt),
        settleSeconds: 120,
        tell: (text) => console.log(text),
      },
    );
    const [half, last] = report.memory;
    const rows: [string, string][] = [
      ['actions', String(report.actions)],
      ['objects made', String(report.objects)],
      ['objects that stay', String(report.stay)],
      ['interruptions', String(report.kills)],
      ['requests sent again', String(report.repeated)],
      ['settled after', `${report.settledSeconds.toFixed(1)} s`],
      ['memory half-way', `${half.toFixed(0)} MB`],
      ['memory in the end', `${last.toFixed(0)} MB`],
      ['faults', String(report.faults.length)],
    ];
    for (const [name, value] of rows) console.log(`${name.padEnd(24)}${value.padStart(12)}`);
    for (const fault of report.faults.slice(0, 20)) console.log(`  ${fault}`);
    const grown = last > half * 1.3 + 30;
    if (grown) console.log('memory has grown');
    process.exitCode = report.faults.length > 0 || grown ? 1 : 0;
  } finally {
    await end();
  }
}
