// The soak: npm run soak -- --help
import {parseArgs} from 'node:util';
import {memoryVerdict} from './soak-memory.js';
import {soak} from './soak.js';

const help = `npm run soak -- [options]

Makes and deletes objects, owners, sets, Jobs, tokens, requests for certificates, namespaces and types at random on two servers of one Redis, which are
killed and paused again and again. At each rest nothing may be there that should be gone, nothing gone that should be there, and no work may be
left; in the end the memory of a server that has run for long must not have grown.

  --minutes N    how long; 30 by default
  --seed N       of the random choices; the time by default
  --workers N    how many make and delete side by side; 6 by default
  --interrupt N  seconds between two interruptions of a server; 20 by default
  --round N      seconds between two rests, at which everything has to settle and memory is measured; 60 by default
`;

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '30'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    workers: {type: 'string', default: '6'},
    interrupt: {type: 'string', default: '20'},
    round: {type: 'string', default: '60'},
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
        roundSeconds: Number(values.round),
        settleSeconds: 120,
        tell: (text) => console.log(text),
      },
    );
    const verdict = memoryVerdict(report.memory);
    const rows: [string, string][] = [
      ['actions', String(report.actions)],
      ['objects made', String(report.objects)],
      ['objects that stay', String(report.stay)],
      ['servers ended', String(report.kills)],
      ['servers paused', String(report.pauses)],
      ['requests sent again', String(report.repeated)],
      ['settled within', `${report.longestSettleSeconds.toFixed(1)} s`],
      ['errors in logs', String(report.errors.length)],
      ['memory held', `${verdict.mean.toFixed(1)} MB`],
      ['memory per hour', `${verdict.slope.toFixed(1)} MB +- ${verdict.error.toFixed(1)}`],
      ['memory is flat', verdict.isFlat === undefined ? `too few samples: ${verdict.samples}` : verdict.isFlat ? 'yes' : 'NO'],
      ['faults', String(report.faults.length)],
    ];
    for (const [name, value] of rows) console.log(`${name.padEnd(24)}${value.padStart(20)}`);
    for (const fault of report.faults.slice(0, 20)) console.log(`  ${fault}`);
    for (const line of report.errors.slice(0, 20)) console.log(`  ${line}`);
    process.exitCode = report.faults.length > 0 || verdict.isFlat === false ? 1 : 0;
  } finally {
    await end();
  }
}
