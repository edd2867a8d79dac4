import test from 'ava';
import {parseCronSchedule} from '../../../../plugins/families/cron-schedules/cron-schedule.js';
import {nextTime} from '../../../../plugins/families/cron-schedules/next-time.js';
import {TimeZone} from '../../../../plugins/families/cron-schedules/time-zone.js';

/** The times of a schedule after an instant, as the clocks of the zone show them. */
function times(schedule: string, after: string, count: number, name = 'UTC'): string[] {
  const parsed = parseCronSchedule(schedule);
  if (typeof parsed === 'string') throw new Error(parsed);
  const zone = new TimeZone(name);
  const found: string[] = [];
  for (let time: number | undefined = Date.parse(after); found.length < count;) {
    time = nextTime(parsed, zone, time!);
    if (time === undefined) break;
    found.push(zone.text(time));
  }
  return found;
}

const cases: readonly [schedule: string, after: string, wanted: string[], zone?: string][] = [
  ['* * * * *', '2026-01-01T00:00:00Z', ['2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z']],
  ['* * * * *', '2026-01-01T00:00:30.5Z', ['2026-01-01T00:01:00Z']],
  ['*/20 8-9 * * *', '2026-01-01T09:30:00Z', ['2026-01-01T09:40:00Z', '2026-01-02T08:00:00Z', '2026-01-02T08:20:00Z']],
  [
    '5/25 0 * * *',
    '2026-01-01T00:00:00Z',
    ['2026-01-01T00:05:00Z', '2026-01-01T00:30:00Z', '2026-01-01T00:55:00Z', '2026-01-02T00:05:00Z'],
  ],
  ['0 0 31 * *', '2026-01-31T00:00:00Z', ['2026-03-31T00:00:00Z', '2026-05-31T00:00:00Z']],
  ['0 0 29 2 *', '2026-01-01T00:00:00Z', ['2028-02-29T00:00:00Z', '2032-02-29T00:00:00Z']],
  ['0 0 31 2 *', '2026-01-01T00:00:00Z', []],
  ['0 12 1 * MON', '2026-05-30T00:00:00Z', ['2026-06-01T12:00:00Z', '2026-06-08T12:00:00Z', '2026-06-15T12:00:00Z']],
  ['0 12 */1 * MON', '2026-05-30T00:00:00Z', ['2026-06-01T12:00:00Z', '2026-06-08T12:00:00Z']],
  ['0 12 */2 * MON', '2026-05-30T00:00:00Z', ['2026-05-31T12:00:00Z', '2026-06-01T12:00:00Z', '2026-06-03T12:00:00Z']],
  ['@weekly', '2026-05-30T00:00:00Z', ['2026-05-31T00:00:00Z', '2026-06-07T00:00:00Z']],
  ['@every 1h30m', '2026-01-01T00:00:10.7Z', ['2026-01-01T01:30:10Z', '2026-01-01T03:00:10Z']],
  ['@every 10ms', '2026-01-01T00:00:00Z', ['2026-01-01T00:00:01Z']],
  [', * * * *', '2026-01-01T00:00:00Z', []],
  ['0 9 * * *', '2026-03-28T12:00:00Z', ['2026-03-29T09:00:00+02:00', '2026-03-30T09:00:00+02:00'], 'Europe/Rome'],
  // At 02:00 the clocks go to 03:00.
  ['30 2 * * *', '2026-03-28T12:00:00Z', ['2026-03-30T02:30:00+02:00'], 'Europe/Rome'],
  // At 03:00 the clocks go back to 02:00.
  [
    '30 2 * * *',
    '2026-10-24T12:00:00Z',
    ['2026-10-25T02:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-26T02:30:00+01:00'],
    'Europe/Rome',
  ],
  ['0 0 * * *', '2018-11-03T12:00:00Z', ['2018-11-05T00:00:00-02:00'], 'America/Sao_Paulo'],
  ['15 5 * * *', '2026-06-01T00:00:00Z', ['2026-06-02T05:15:00+05:45'], 'Asia/Kathmandu'],
];
for (const [schedule, after, wanted, zone] of cases) {
  test(`${JSON.stringify(schedule)} after ${after} in ${zone ?? 'UTC'} runs at ${wanted.join(', ') || 'no time'}`, (t) => {
    t.deepEqual(times(schedule, after, Math.max(wanted.length, 1), zone), wanted);
  });
}

test('a zone whose clocks do not differ from UTC is written with a Z', (t) => {
  t.is(new TimeZone('Europe/London').text(Date.parse('2026-01-01T00:00:00Z')), '2026-01-01T00:00:00Z');
  t.is(new TimeZone('Europe/London').text(Date.parse('2026-07-01T00:00:00Z')), '2026-07-01T01:00:00+01:00');
});
