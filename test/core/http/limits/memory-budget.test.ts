import test from 'ava';
import {HeldMemory} from '../../../../core/http/limits/held-memory.js';
import {MemoryBudget} from '../../../../core/http/limits/memory-budget.js';

const kibi = 1024;
const user = (username: string, ...groups: string[]) => ({username, groups});

test('a budget is for all, a part of it for one caller, and a reserve for administrators', (t) => {
  const budget = new MemoryBudget(1000 * kibi, 400 * kibi);
  const first = new HeldMemory(budget);
  first.set(450 * kibi, user('a'));
  t.false(budget.hasRoom(user('a')));
  t.true(budget.hasRoom(user('b')));
  const second = new HeldMemory(budget);
  second.set(600 * kibi, user('b'));
  t.true(budget.isFull);
  t.false(budget.hasRoom(user('c')));
  t.true(budget.hasRoom(user('root', 'system:masters')));
  const third = new HeldMemory(budget);
  third.set(500 * kibi, user('root', 'system:masters'));
  t.false(budget.hasRoom(user('root', 'system:masters')));
});

test('what is given back is there for others, also when it has grown and shrunk', (t) => {
  const budget = new MemoryBudget(1000 * kibi, 400 * kibi);
  const held = new HeldMemory(budget);
  t.is(held.set(10 * kibi, user('a')), 10 * kibi);
  t.is(held.set(500 * kibi, user('a')), 490 * kibi);
  t.is(budget.used, 500 * kibi);
  t.is(held.set(20 * kibi, user('a')), -480 * kibi);
  t.is(budget.used, 20 * kibi);
  t.true(budget.hasRoom(user('a')));
  held.set(0, undefined);
  t.is(budget.used, 0);
});
