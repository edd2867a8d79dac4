import test from 'ava';
import {IdleMemory, ownProcess} from '../../../core/cli/idle-memory.js';

const mebibyte = 1024 * 1024;

/** A process that does what the test says. */
function made(resident: number) {
  const state = {busy: 0, resident: resident * mebibyte, left: resident * mebibyte, collections: 0};
  const memory = new IdleMemory({
    busyShare: () => state.busy,
    resident: () => state.resident,
    collect() {
      state.collections++;
      state.resident = state.left;
    },
  });
  const look = (times: number) => {
    for (let time = 0; time < times; time++) memory.look();
  };
  return {state, look};
}

test('what a start has left behind is collected once nobody has come since the last look', (t) => {
  const {state, look} = made(130);
  state.left = 95 * mebibyte;
  state.busy = 0.3;
  look(3);
  t.is(state.collections, 0);
  state.busy = 0;
  look(20);
  t.is(state.collections, 1);
});

test('what a burst has left behind is collected once the process has been idle since the last look', (t) => {
  const {state, look} = made(100);
  state.resident = 300 * mebibyte;
  look(1);
  t.is(state.collections, 1);
  look(20);
  t.is(state.collections, 1, 'there is nothing more to get');
});

test('a process that works is left alone', (t) => {
  const {state, look} = made(100);
  state.resident = 300 * mebibyte;
  state.busy = 0.3;
  look(20);
  t.is(state.collections, 0);
  state.busy = 0;
  look(1);
  t.is(state.collections, 1);
});

test('memory that is needed is not collected again and again', (t) => {
  const {state, look} = made(100);
  state.resident = state.left = 400 * mebibyte;
  look(50);
  t.is(state.collections, 1);
  state.resident = 470 * mebibyte;
  look(50);
  t.is(state.collections, 1, 'a quarter more has to be there');
  state.resident = 510 * mebibyte;
  look(50);
  t.is(state.collections, 2);
});

test('neither little nor very much is collected: it would not be worth it, or take too long', (t) => {
  const {state, look} = made(100);
  look(4);
  state.resident = 160 * mebibyte;
  look(20);
  state.resident = 1100 * mebibyte;
  look(20);
  t.is(state.collections, 1, 'that of the start');
});

test('a collection gives memory of this process back to the system', (t) => {
  const meter = ownProcess();
  t.true(meter.busyShare() >= 0);
  let garbage: object[] | undefined = Array.from({length: 1_500_000}, (_, number) => ({number, text: [number]}));
  t.is(garbage.length, 1_500_000);
  const full = meter.resident();
  garbage = undefined;
  meter.collect();
  t.true(meter.resident() < full - 64 * mebibyte, `${full / mebibyte} MB before, ${meter.resident() / mebibyte} MB behind it`);
  t.is((globalThis as {gc?: unknown}).gc, undefined);
});
