import test from 'ava';
import {DueTimes} from '../../../sdk/controllers/index.js';
import {SetClock} from '../../helpers/set-clock.js';

function setUp() {
  const clock = new SetClock(0);
  const told: [string, number][] = [];
  return {clock, told, times: new DueTimes((name) => void told.push([name, clock.now()]), clock)};
}

test('names are told once, each at its time, however far that is', (t) => {
  const {clock, told, times} = setUp();
  const year = 365 * 24 * 3_600_000;
  times.set('c', year);
  times.set('a', 500);
  times.set('b', 700);
  clock.set(499);
  t.deepEqual(told, []);
  clock.set(2 * year);
  t.deepEqual(told, [
    ['a', 500],
    ['b', 700],
    ['c', year],
  ]);
  t.is(clock.sleepers, 0);
});

test('a name has one time, the last one set; without one it is forgotten', (t) => {
  const {clock, told, times} = setUp();
  times.set('a', 100);
  times.set('a', 300);
  times.set('b', 200);
  times.set('b', undefined);
  times.set('c', 1000);
  times.set('c', 250);
  clock.set(5000);
  t.deepEqual(told, [
    ['c', 250],
    ['a', 300],
  ]);
});

test('what is due already is told soon, and not within the call; a name may be set again when it is told', (t) => {
  const clock = new SetClock(1000);
  const told: number[] = [];
  const times: DueTimes = new DueTimes((name) => {
    told.push(clock.now());
    if (told.length < 3) times.set(name, clock.now() + 100);
  }, clock);
  times.set('a', 5);
  t.deepEqual(told, []);
  clock.set(2000);
  t.deepEqual(told, [1010, 1110, 1210]);
});

test('nothing is told after the names have been cleared', (t) => {
  const {clock, told, times} = setUp();
  times.set('a', 100);
  times.clear();
  t.is(clock.sleepers, 0);
  clock.set(1000);
  t.deepEqual(told, []);
});
