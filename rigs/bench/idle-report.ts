import type {IdleResult} from './measure-idle.js';
import {tableText} from './table-text.js';

/** Of a server with all controllers; memory is what they add. */
const goals = {processor: 0.2, megabytes: 15, readySeconds: 0.5, leaderSeconds: 1};

/** The figures of idle servers as a table, and what comes of the goals. */
export function idleReport({subject, seconds, cases}: IdleResult): string {
  const table = tableText([
    ['controllers', 'processor %', 'wakes/s', 'held MB', 'resident MB', 'ready s', 'leads after s'],
    ...cases.map(({controllers, processor, wakes, held, resident, readySeconds, leaderSeconds}) => [
      controllers,
      processor.toFixed(2),
      wakes.toFixed(1),
      held.toFixed(1),
      resident.toFixed(0),
      readySeconds.toFixed(2),
      leaderSeconds?.toFixed(2) ?? '-',
    ]),
  ]);
  const [all, none] = cases as [IdleResult['cases'][number], IdleResult['cases'][number]];
  const verdicts = [
    verdict('processor', all.processor, goals.processor, '%'),
    verdict('memory held for controllers', all.held - none.held, goals.megabytes, 'MB'),
    verdict('resident for controllers', all.resident - none.resident, goals.megabytes, 'MB'),
    verdict('ready after', all.readySeconds, goals.readySeconds, 's'),
    verdict('leader after', all.leaderSeconds ?? 0, goals.leaderSeconds, 's'),
  ];
  return `${subject}: a server with nothing to do, for ${seconds} s\n${table}\n  ${verdicts.join('; ')}`;
}

function verdict(what: string, value: number, goal: number, unit: string): string {
  return `${what} ${value.toFixed(2)} ${unit} (goal ${goal}: ${value <= goal ? 'met' : 'missed'})`;
}
