import {tableText} from '../bench/table-text.js';
import type {FollowersCase} from './measure-followers.js';
import type {ServerCosts} from './measure-server.js';
import {limitsOf, usableShare, valueAt, type Costs} from './model.js';

const whole = (value: number) => Math.round(value).toLocaleString('en');
const micro = (value: number) => value.toFixed(value < 10 ? 1 : 0);
const percent = (value: number) => `${(value * 100).toFixed(value < 0.1 ? 1 : 0)} %`;

/** What was measured, the model beside it, and what follows from it. */
export function scaleReport(server: ServerCosts, cases: readonly FollowersCase[], costs: Costs): string {
  const work = [
    ['one server', 'µs of a core', `in a second of ${percent(usableShare)} of a core`],
    ...(
      [
        ['create', server.create],
        ['update', server.update],
        ['get', server.get],
        ['list of 500', server.listOf500],
        ['event to one watch', server.event],
        ["another server's write, type asked for", server.followed],
        ["another server's write, type not asked for", server.unfollowed],
      ] as const
    ).map(([name, value]) => [name, micro(value), whole((usableShare * 1e6) / value)]),
  ];
  const memory = [
    ['memory of a server', 'bytes'],
    ['idle', `${whole(server.base / 2 ** 20)} MiB`],
    ['object of about 1 KB', whole(server.object)],
    ['watch with its connection', whole(server.watch)],
  ];
  const redis = [
    ['servers on one Redis', 'asked', 'Redis, µs a write', 'model', 'deviation', 'server, µs a write', 'Redis idle', 'server idle'],
    ...cases.map((one) => {
      const model = valueAt(one.asked ? costs.redisAsked : costs.redisUnasked, one.servers);
      return [
        whole(one.servers),
        one.asked ? 'yes' : 'no',
        micro(one.redisPerWrite),
        micro(model),
        `${(((model - one.redisPerWrite) / one.redisPerWrite) * 100).toFixed(0)} %`,
        micro(one.serverPerWrite),
        percent(one.redisIdle),
        percent(one.serverIdle),
      ];
    }),
  ];
  const plans = [1, 2, 10, 100, 1_000].flatMap((servers) => [
    {servers, asked: servers, watches: 0},
    {servers, asked: servers, watches: servers * 100},
    ...(servers > 1 ? [{servers, asked: Math.max(1, Math.round(servers / 10)), watches: 0}] : []),
  ]);
  const limits = [
    ['servers', 'asked for the type', 'watches', 'writes/s', 'first limit', 'Redis alone', 'servers alone', 'Redis idle'],
    ...plans.map((plan) => {
      const limit = limitsOf(costs, plan);
      return [
        whole(plan.servers),
        whole(plan.asked),
        whole(plan.watches),
        whole(limit.writes),
        limit.first,
        whole(limit.redis),
        whole(limit.server),
        percent(limit.redisIdle),
      ];
    }),
  ];
  return [work, memory, redis, limits].map(tableText).join('\n\n');
}
