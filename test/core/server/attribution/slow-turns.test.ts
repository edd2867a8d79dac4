import test from 'ava';
import {defineAdmission, defineController, definePlugin, Tokens} from '@orch-api/orch/sdk';
import {eventually, startTestServer} from '@orch-api/orch/testing';
import {recordingLogger} from '../../../helpers/recording-logger.js';

const maps = '/api/v1/namespaces/default/configmaps';

/** Uses the processor for so long, in milliseconds. */
function compute(millis: number): void {
  const began = process.threadCpuUsage();
  for (;;) {
    const {user, system} = process.threadCpuUsage(began);
    if (user + system >= millis * 1000) return;
  }
}

/** Works on and on as soon as it is told to. */
const act = Promise.withResolvers<void>();
const clumsy = definePlugin({name: 'clumsy'}, [
  defineAdmission({
    name: 'Thinker',
    operations: ['CREATE'],
    sideEffects: 'none',
    create: () => ({
      validate: ({name}) => (name === 'hard' ? compute(300) : undefined),
    }),
  }),
  defineController({
    name: 'counter',
    leaderElection: false,
    create: ({inject}) => {
      const task = inject(Tokens.Scheduler).task('background', 'counting');
      return {
        start: () => {
          void act.promise.then(async () => {
            await task.yield();
            compute(300);
            await task.yield();
          });
          return Promise.resolve();
        },
        stop: () => Promise.resolve(),
      };
    },
  }),
]);

test('a slow turn is told with the plugin that took it, in a method that was called or in work of its own', async (t) => {
  const {logger, lines} = recordingLogger();
  const server = await startTestServer({plugins: [clumsy], logger, controllers: ['*']});
  t.teardown(() => server.stop());
  const slow = (isIt: (fields: Readonly<Record<string, unknown>>) => boolean) =>
    eventually(() => {
      const told = lines.filter(({message}) => message === 'a turn of the event loop took long').map(({fields}) => fields);
      const found = told.find(isIt);
      if (!found) throw new Error(JSON.stringify(told));
      return found;
    });
  t.is((await server.client.post(maps, {metadata: {name: 'hard'}})).status, 201);
  const called = await slow(({plugin}) => plugin === 'clumsy');
  t.like(called, {method: 'POST', path: maps, plugin: 'clumsy', hook: 'admission Thinker.validate'});
  act.resolve();
  const counted = await slow(({work}) => work === 'counting');
  t.like(counted, {kind: 'background', plugin: 'clumsy', work: 'counting'});
  t.is(counted['path'], undefined);
});
