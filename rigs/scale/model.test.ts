import test from 'ava';
import {fitLine, limitsOf, usableShare, valueAt, type Costs} from './model.js';

const line = (fixed: number, each: number) => ({fixed, each});
const costs: Costs = {
  redisAsked: line(50, 10),
  redisUnasked: line(50, 2),
  redisIdle: line(0, 0.0001),
  write: 400,
  followed: 100,
  unfollowed: 20,
  event: 10,
};

test('a line through points of a line is that line, however far they are apart', (t) => {
  const {fixed, each} = fitLine([1, 10, 1000].map((x) => [x, 30 + 7 * x]));
  t.true(Math.abs(fixed - 30) < 1e-6 && Math.abs(each - 7) < 1e-9);
  t.true(Math.abs(valueAt({fixed, each}, 100) - 730) < 1e-6);
});

test('a small point that deviates moves the line more than a large one that deviates as much', (t) => {
  const {fixed, each} = fitLine([
    [1, 20],
    [10, 110],
    [1000, 10_020],
  ]);
  t.true(Math.abs(valueAt({fixed, each}, 1) - 20) < 1);
});

test('one server alone is limited by its own writes', (t) => {
  const limits = limitsOf(costs, {servers: 1, watches: 0, asked: 1});
  t.is(limits.first, 'server');
  t.is(Math.round(limits.writes), Math.round((usableShare * 1e6) / 400));
});

test('Redis is the limit once it has to tell many servers', (t) => {
  const few = limitsOf(costs, {servers: 10, watches: 0, asked: 10});
  const many = limitsOf(costs, {servers: 1000, watches: 0, asked: 1000});
  t.is(many.first, 'redis');
  t.true(many.writes < few.writes);
  t.is(Math.round(many.redis), Math.round(((usableShare - 0.1) * 1e6) / (50 + 10 * 1000)));
});

test('servers that nobody asks for a type leave Redis more room', (t) => {
  const all = limitsOf(costs, {servers: 100, watches: 0, asked: 100});
  const one = limitsOf(costs, {servers: 100, watches: 0, asked: 1});
  t.true(one.redis > 3 * all.redis);
});

test('watches are shared out over the servers that are asked', (t) => {
  const none = limitsOf(costs, {servers: 10, watches: 0, asked: 10});
  const many = limitsOf(costs, {servers: 10, watches: 10_000, asked: 10});
  t.true(many.server < none.server / 10);
});
