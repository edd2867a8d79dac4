import test from 'ava';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {ownConfiguration, ownControllers} from './controllers.js';
import {startMetricsServer, type MetricsServer} from './metrics-server.js';
import {firstDifference, playScenario, recordedHistory} from './run-scenario.js';
import {scenarios} from './scenarios/index.js';

let server: TestServer;
let metrics: MetricsServer;
const cleanups: (() => unknown)[] = [];

test.before(async () => {
  metrics = await startMetricsServer({teardown: (cleanup) => void cleanups.push(cleanup)});
  server = await startTestServer({
    platform: 'kubernetes',
    release: '1.36',
    controllers: ownControllers,
    configuration: ownConfiguration,
  });
  await metrics.register(server.client);
});
test.after.always(async () => {
  await server.stop();
  for (const cleanup of cleanups) await cleanup();
});

/** So many are played at the same time: what happens in time would else happen too late. */
const most = 4;
let playing = 0;
const waiting: (() => void)[] = [];

/** Resolves when it is a scenario's turn. */
async function takeTurn(): Promise<void> {
  while (playing >= most) await new Promise<void>((resolve) => void waiting.push(resolve));
  playing += 1;
}

function leave(): void {
  playing -= 1;
  waiting.shift()?.();
}

for (const scenario of scenarios) {
  test(`${scenario.name}: objects, conditions and events after each step are those of kube-controller-manager 1.36`, async (t) => {
    const real = recordedHistory('1.36', scenario);
    t.truthy(real, 'npm run compare:workloads -- --record makes it');
    await takeTurn();
    t.timeout(420_000);
    try {
      t.is(firstDifference(real!, await playScenario(server.client, scenario, metrics)), undefined);
    } finally {
      leave();
    }
  });
}
