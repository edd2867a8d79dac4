import test from 'ava';
import {dumpPriorityLevels, dumpQueues, dumpRequests} from '../../../../core/http/flow-control/dump.js';
import {RequestFlowControl} from '../../../../core/http/flow-control/request-flow-control.js';
import {oneSeat} from '../../../../core/http/flow-control/work.js';
import {parseRequestInfo} from '../../../../core/http/request/request-info.js';
import {silentLogger} from '../../../../core/logs/silent-logger.js';

test('administrators see which requests wait, in which queue, and for what', (t) => {
  let now = 1000;
  const flowControl = new RequestFlowControl({enabled: true, seats: 1, headerPrefix: 'X-Orch', logger: silentLogger, clock: () => now});
  flowControl.configure({
    priorityLevels: [
      {
        name: 'some',
        limited: {
          nominalConcurrencyShares: 10,
          lendablePercent: 0,
          borrowingLimitPercent: 0,
          queuing: {queues: 1, handSize: 1, queueLengthLimit: 10},
        },
      },
    ],
    flowSchemas: [
      {
        name: 'users',
        priorityLevel: 'some',
        matchingPrecedence: 100,
        distinguisher: 'ByUser',
        rules: [
          {
            subjects: [{kind: 'User', name: 'jane'}],
            resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
            nonResourceRules: [],
          },
        ],
      },
    ],
  });
  const info = parseRequestInfo('GET', '/apis/apps/v1/namespaces/shop/deployments/web/status', new URLSearchParams());
  const user = {username: 'jane', groups: []};
  const flow = flowControl.classify(user, info);
  const {queues} = flow.schema.level;
  queues!.start(flow, oneSeat, now);
  now = 1500;
  const waiting = queues!.start(flow, {seats: 1, finalSeats: 2, finalMillis: 5}, now)!;
  waiting.label = {flow, exchange: {user, info}};
  const {levels} = flowControl;
  t.is(
    dumpPriorityLevels(levels),
    `PriorityLevelName, ActiveQueues, IsIdle, IsQuiescing, WaitingRequests, ExecutingRequests
some,              1,            false,  false,       1,               1
exempt,            <none>,       <none>, <none>,      <none>,          <none>
catch-all,         0,            true,   false,       0,               0
`,
  );
  t.regex(dumpQueues(levels), /\nsome, +0, +1, +1, +1, +\d\.\d{8}ss, +1, +2, +0\.01300000ss\n/);
  now = 1600;
  const times = {clock: now, time: Date.UTC(2026, 0, 2, 3, 4, 5)};
  t.regex(dumpRequests(levels, false, times), /\nsome, +users, +0, +0, +jane, +2026-01-02T03:04:04\.900Z, +1, +2, +0\.005s\n/);
  t.true(
    dumpRequests(levels, true, times).split('\n')[1]!.replaceAll(/ +/g, ' ') ===
      'some, users, 0, 0, jane, 2026-01-02T03:04:04.900Z, 1, 2, 0.005s, jane, get, /apis/apps/v1/namespaces/shop/deployments/web/status, shop, web, apps/v1, deployments, status',
  );
});
