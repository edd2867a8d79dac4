import test from 'ava';
import {MachineSpeed} from './machine-speed.js';

function lookedAt(...millis: readonly number[]): MachineSpeed {
  const next = [...millis];
  const speed = new MachineSpeed(() => next.shift()!);
  for (const _ of millis) speed.look();
  return speed;
}

test('a run says how fast the machine was, and warns where that has changed by more than a quarter', (t) => {
  t.is(lookedAt(400, 500, 450).report(), 'the machine took 400 to 500 ms for the same work, looked at 3 times');
  t.regex(lookedAt(400, 1000).report(), /changed by 150 %, so compare what was measured in turns, and nothing else$/);
  t.deepEqual(lookedAt(400, 1000).millis, [400, 1000]);
});

test('the work takes as long as it takes on this machine', (t) => {
  const speed = new MachineSpeed();
  speed.look();
  t.true(speed.millis[0]! > 1);
});
