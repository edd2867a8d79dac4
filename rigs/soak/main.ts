// The soak: npm run soak -- --help
import {parseArgs} from 'node:util';
import {memoryVerdict} from './soak-memory.js';
import {clusterSoak} from './cluster-soak.js';
import {soak} from './soak.js';
import {withCleanup} from '../with-cleanup.js';

const help = `npm run soak -- [options]

Makes and deletes objects, owners, sets, Jobs, tokens, requests for certificates, namespaces and types at random on two servers of one Redis, which are
killed and paused again and again. At each rest nothing may be there that should be gone, nothing gone that should be there, and no work may be
left; in the end the memory of a server that has run for long must not have grown.

Most of its memory is the history of the last five minutes, whose size moves with the rate of actions. So memory is fitted by time and by the
actions of the last five minutes on both servers, since each sees all changes; what counts is the growth in time. Actions are counted by who acts and not
by the servers, so that a history that is never cut shows as growth. Events last for a minute. The server that is followed is paused now and then, not killed,
from the first fifth on; its first six minutes do not count. It grows if that is sure: by more than 5 % of the mean an hour, two standard errors taken off. If two
standard errors are more than 50 % of the mean, nothing can be told (the run is too short, or the rate of actions rose or fell with time).

  --minutes N    how long; 30 by default
  --seed N       of the random choices; the time by default
  --workers N    how many make and delete side by side; 6 by default
  --interrupt N  seconds between two interruptions of a server; 20 by default
  --round N      seconds between two rests, at which everything has to settle and memory is measured; 60 by default
  --cluster      Deployments, StatefulSets and Jobs on simulated nodes instead, which are made, scaled, rolled over and deleted; Redis is killed too
  --audit DIR    an existing folder for a record of what controllers delete and change, to look for the cause of a fault; it grows by the minute
`;

const megabytes = (value: number, digits = 1): string => (Number.isFinite(value) ? `${value.toFixed(digits)} MB` : 'unknown');

const {values} = parseArgs({
  options: {
    minutes: {type: 'string', default: '30'},
    seed: {type: 'string', default: String(Date.now() % 1_000_000)},
    workers: {type: 'string', default: '6'},
    interrupt: {type: 'string', default: '20'},
    round: {type: 'string', default: '60'},
    audit: {type: 'string'},
    cluster: {type: 'boolean', default: false},
    help: {type: 'boolean', default: false},
  },
});
if (values.help) {
  console.log(help);
} else {
  await withCleanup(async (t) => {
    const seed = Number(values.seed);
    console.log(`seed ${seed}`);
    const report = await (values.cluster ? clusterSoak : soak)(t, {
      seconds: Number(values.minutes) * 60,
      seed,
      workers: Number(values.workers),
      interruptSeconds: Number(values.interrupt),
      roundSeconds: Number(values.round),
      settleSeconds: 120,
      ...(values.audit === undefined ? {} : {auditFolder: values.audit}),
      tell: (text) => console.log(text),
    });
    const verdict = memoryVerdict(report.memory);
    const rows: [string, string][] = [
      ['actions', String(report.actions)],
      ['objects made', String(report.objects)],
      ['objects that stay', String(report.stay)],
      ['servers ended', String(report.kills)],
      ['servers paused', String(report.pauses)],
      ['Redis killed', String(report.storeKills)],
      ['requests sent again', String(report.repeated)],
      ['settled within', `${report.longestSettleSeconds.toFixed(1)} s`],
      ['errors in logs', String(report.errors.length)],
      ['memory held', megabytes(verdict.mean)],
      ['memory per 1,000 actions', megabytes(verdict.perThousandActions, 2)],
      ['memory per hour', `${megabytes(verdict.slope)} +- ${megabytes(verdict.error)}`],
      ['by time alone', megabytes(verdict.plainSlope)],
      ['memory is flat', verdict.isFlat === undefined ? `cannot be told: ${verdict.rows.length} samples` : verdict.isFlat ? 'yes' : 'NO'],
      ['faults', String(report.faults.length)],
    ];
    console.log(' minutes  actions of 5 min  MB held  MB by the fit');
    for (const {minutes, recentActions, held, fitted} of verdict.rows) {
      console.log(
        `${minutes.toFixed(1).padStart(8)}${recentActions.toFixed(0).padStart(18)}${held.toFixed(1).padStart(9)}${fitted.toFixed(1).padStart(15)}`,
      );
    }
    for (const [name, value] of rows) console.log(`${name.padEnd(26)}${value.padStart(28)}`);
    for (const fault of report.faults.slice(0, 20)) console.log(`  ${fault}`);
    for (const line of report.errors.slice(0, 20)) console.log(`  ${line}`);
    process.exitCode = report.faults.length > 0 || verdict.isFlat === false ? 1 : 0;
  });
}
