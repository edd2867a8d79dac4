import {mock} from 'node:test';
import test from 'ava';
import {LossLog} from '../../../sdk/values/loss-log.js';
import {recordingLogger} from '../../helpers/recording-logger.js';

test.serial('losses are told at once, then summed up every 10 seconds with the last reason; what works again is told once', (t) => {
  mock.timers.enable({apis: ['setTimeout']});
  t.teardown(() => mock.timers.reset());
  const {logger, lines} = recordingLogger();
  const losses = new LossLog({logger, lost: 'lost', again: 'again', fields: {sink: 'one'}});
  const told = () => (lines as unknown[]).splice(0) as typeof lines;

  losses.worked();
  t.deepEqual(told(), []);
  losses.lost('full');
  t.deepEqual(told(), [{level: 'error', message: 'lost', fields: {sink: 'one', lost: 1, err: 'full'}}]);
  // Now room, now none: a queue at its bound.
  for (let count = 0; count < 1000; count++) {
    losses.lost('full');
    losses.lost('late', 2);
    losses.worked();
  }
  t.deepEqual(told(), [{level: 'info', message: 'again', fields: {sink: 'one', lost: 4}}]);
  mock.timers.tick(10_000);
  t.deepEqual(told(), [{level: 'error', message: 'lost', fields: {sink: 'one', lost: 3000, err: 'late'}}]);
  losses.worked();
  t.is(told().length, 1);
  mock.timers.tick(10_000);
  t.deepEqual(told(), []);
  losses.lost('once more');
  t.is(told()[0]!.fields['lost'], 1);
  losses.lost('at the end');
  losses.close();
  mock.timers.tick(20_000);
  t.deepEqual(told(), []);
  t.is(losses.total, 3003);
});
