import test from 'ava';
import type {Attack} from '../attack.js';
import {standardBounds} from './bounds.js';
import {judge, type Measured} from './verdict.js';

const attack: Attack = {name: 'family/name', outcomes: [413, 'cut'], run: async () => undefined};
const probed = {reads: 100, p50: 1, p99: 20, longest: 30, rawP99: 20, livez: 4, livezLongest: 10, failures: []};
const good: Measured = {
  attack: attack.name,
  store: 'embedded',
  seconds: 1,
  probed,
  machine: 1,
  peakMegabytes: 200,
  recovery: {seconds: 0.4, residentMegabytes: 150, cpu: 0.01},
  tally: {outcomes: {413: 4}, faults: []},
  broken: [],
  errors: [],
};

const failuresOf = (measured: Partial<Measured>) => judge(attack, {...good, ...measured}, standardBounds).failures;

test('an attack that keeps within all bounds and arrived where it aimed has no failures', (t) => {
  t.deepEqual(failuresOf({}), []);
  t.deepEqual(failuresOf({tally: {outcomes: {cut: 1, 503: 2, 429: 3}, faults: []}}), []);
});

test('each bound that does not hold is a failure of its own', (t) => {
  t.deepEqual(failuresOf({probed: {...probed, p99: 251}}), ['p99 251 ms']);
  t.deepEqual(failuresOf({probed: {...probed, livezLongest: 2001}}), ['/livez 2001 ms']);
  t.deepEqual(failuresOf({probed: {...probed, failures: ['the read was answered 429']}}), ['the read was answered 429']);
  t.deepEqual(failuresOf({peakMegabytes: 400}), ['RSS 400 MB']);
  t.deepEqual(failuresOf({recovery: {seconds: undefined, residentMegabytes: 390, cpu: 0.5}}), ['after 10 s not idle: 390 MB, 50 % CPU']);
  t.deepEqual(failuresOf({broken: ['the server ended: SIGABRT']}), ['the server ended: SIGABRT']);
  t.deepEqual(failuresOf({errors: ['{"level":"error"}']}), ['logged {"level":"error"}']);
});

test('measures of time and memory can be tried again, and nothing that went wrong', (t) => {
  const isMeasure = (measured: Partial<Measured>) => judge(attack, {...good, ...measured}, standardBounds).isMeasure;
  t.true(isMeasure({peakMegabytes: 400, probed: {...probed, p99: 251}}));
  t.true(isMeasure({recovery: {seconds: undefined, residentMegabytes: 390, cpu: 0.5}}));
  t.false(isMeasure({}));
  t.false(isMeasure({peakMegabytes: 400, tally: {outcomes: {413: 1, 500: 1}, faults: []}}));
  t.false(isMeasure({peakMegabytes: 400, broken: ['the server ended: SIGABRT']}));
});

test('times may be as much longer as the machine is slower, and nothing else', (t) => {
  const late = {...probed, p99: 490, livezLongest: 3900};
  t.deepEqual(failuresOf({probed: late, machine: 2}), []);
  t.deepEqual(failuresOf({probed: late, machine: 1.9}), ['p99 490 ms', '/livez 3900 ms']);
  t.deepEqual(failuresOf({peakMegabytes: 400, machine: 2}), ['RSS 400 MB']);
});

test('an answer of 500 is a failure, and so is an attack that met with nothing that it aimed at', (t) => {
  t.deepEqual(failuresOf({tally: {outcomes: {413: 1, 500: 1}, faults: []}}), ['answered 413, 500']);
  t.deepEqual(failuresOf({tally: {outcomes: {413: 1, 500: 1}, faults: ['answered 500: x']}}), ['answered 500: x']);
  t.deepEqual(failuresOf({tally: {outcomes: {401: 4}, faults: []}}), ['missed its aim: outcomes 401 instead of 413, cut']);
  t.deepEqual(failuresOf({tally: {outcomes: {}, faults: []}}), ['missed its aim: outcomes none instead of 413, cut']);
});

test('an error that an attack is known to cause may be logged a few times, and no other', (t) => {
  const line = (message: string) => `{"level":"error","msg":"${message}"}`;
  const judged = (errors: readonly string[]) =>
    judge({...attack, logs: ['events are lost']}, {...good, errors}, standardBounds).failures.length;
  t.is(judged(Array<string>(4).fill(line('events are lost'))), 0);
  t.is(judged(Array<string>(5).fill(line('events are lost'))), 1);
  t.is(judged([line('events are lost'), line('something else')]), 1);
});
