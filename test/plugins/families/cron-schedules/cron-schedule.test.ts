import test from 'ava';
import {cronScheduleFault} from '../../../../plugins/families/cron-schedules/cron-schedule.js';
import {isTimeZone} from '../../../../plugins/families/cron-schedules/time-zone.js';

const good = [
  '* * * * *',
  '*/15 0-6,18-23/2 1,15 JAN-mar mon-FRI',
  '0 0 31 12 0',
  '5/10 ? * * ?',
  '  0   12 * * *  ',
  '0 12 * * 1,,5',
  '@hourly',
  '@midnight',
  '@every 1h30m',
  '@every 1.5s',
  'TZ=Europe/Rome 0 12 * * *',
  'CRON_TZ=UTC @daily',
];
for (const schedule of good) {
  test(`the schedule ${JSON.stringify(schedule)} is good`, (t) => {
    t.is(cronScheduleFault(schedule), undefined);
  });
}

const bad: [schedule: string, fault: string][] = [
  ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
  ['* * * * * *', 'expected exactly 5 fields, found 6: [* * * * * *]'],
  ['60 * * * *', 'end of range (60) above maximum (59): 60'],
  ['* * 0 * *', 'beginning of range (0) below minimum (1): 0'],
  ['* * * * 7', 'end of range (7) above maximum (6): 7'],
  ['30-10 * * * *', 'beginning of range (30) beyond end of range (10): 30-10'],
  ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ['1/2/3 * * * *', 'too many slashes: 1/2/3'],
  ['1-2-3 * * * *', 'too many hyphens: 1-2-3'],
  ['x * * * *', 'failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax'],
  ['* * * * Mondays', 'failed to parse int from Mondays: strconv.Atoi: parsing "Mondays": invalid syntax'],
  ['@fortnightly', 'unrecognized descriptor: @fortnightly'],
  ['@every soon', 'failed to parse duration @every soon: time: invalid duration "soon"'],
  ['TZ=Nowhere/Town * * * * *', 'provided bad location Nowhere/Town: unknown time zone Nowhere/Town'],
  ['TZ=UTC', 'empty spec string'],
];
for (const [schedule, fault] of bad) {
  test(`the schedule ${JSON.stringify(schedule)} is not`, (t) => {
    t.is(cronScheduleFault(schedule), fault);
  });
}

test('time zones are names of the zone database', (t) => {
  for (const name of [
    'UTC',
    'Etc/UTC',
    'America/New_York',
    'US/Pacific',
    'Asia/Calcutta',
    'Etc/GMT+5',
    'America/Port-au-Prince',
    'EST5EDT',
  ])
    t.true(isTimeZone(name), name);
  for (const name of ['', '+01:00', 'Local', 'Europe/Atlantis', 'utc', 'europe/Rome', 'EUROPE/ROME', 'Europe/rome'])
    t.false(isTimeZone(name), name);
});
