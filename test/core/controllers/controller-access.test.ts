import test from 'ava';
import {once} from 'node:events';
import {setImmediate as nextTurn} from 'node:timers/promises';
import {defineAuthorizer, definePlugin, defineRoute, Tokens, type AuthorizationAttributes, type Status} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {until} from '../../helpers/eventually.js';
import {ControllerAccess} from '../../../core/controllers/controller-access.js';
import {silentLogger} from '../../../core/logs/silent-logger.js';

const user = {username: 'system:plugin:rooms', groups: []};
const attributes = {user, verb: 'list', group: '', resource: 'pods', namespace: '', name: '', subresource: ''};

test.serial('an authorizer that fails later, when it is asked what can be said at once, does not end the server', async (t) => {
  const unhandled = once(process, 'unhandledRejection', {signal: AbortSignal.timeout(10_000)}).catch(() => undefined);
  for (const informers of [undefined, user]) {
    const access = new ControllerAccess({
      holder: {kind: 'plugin', name: 'rooms'},
      decide: () => Promise.reject(new Error('it cannot be reached')),
      informers,
      isOpen: () => false,
      logger: silentLogger,
    });
    t.false(access.allowsNow(attributes as unknown as AuthorizationAttributes));
    await t.throwsAsync(async () => access.require(attributes as unknown as AuthorizationAttributes), {message: 'it cannot be reached'});
  }
  // Such rejections are told once the promises of a turn have run.
  t.is(await Promise.race([unhandled, nextTurn().then(() => nextTurn('none'))]), 'none');
});

test.serial(
  'where authorizers answer later, as a webhook does, a plugin reads what it follows in the cache until one refuses it',
  async (t) => {
    const secrets = {group: '', version: 'v1', resource: 'secrets'};
    const maps = {...secrets, resource: 'configmaps'};
    let isAllowed = true;
    const remote = definePlugin({name: 'remote'}, [
      defineAuthorizer({
        name: 'Remote',
        order: -1,
        create: () => ({
          async authorize({user: {username}}) {
            await nextTurn();
            if (username === 'system:plugin:reader') return {decision: isAllowed ? 'allow' : 'deny'};
            return {decision: 'no-opinion'};
          },
        }),
      }),
    ]);
    const reader = definePlugin({name: 'reader'}, [
      defineRoute({
        path: '/seen',
        methods: ['GET'],
        create: ({inject}) => {
          const cache = inject(Tokens.ObjectCache);
          const end = new AbortController();
          return {
            start: () => {
              const ignored = () => undefined;
              cache.follow(secrets, {listed: ignored, changed: ignored, deleted: ignored, reset: ignored, ended: ignored}, end.signal);
            },
            stop: () => end.abort(),
            handle({query}, response) {
              if (query.get('end') !== null) end.abort();
              const ref = query.get('of') === 'configmaps' ? maps : secrets;
              response.end(JSON.stringify([...cache.list(ref, 'default')].map(({name}) => name)));
            },
          };
        },
      }),
    ]);
    const server = await startTestServer({plugins: [remote, reader]});
    t.teardown(() => server.stop());
    await server.client.post('/api/v1/namespaces/default/secrets', {metadata: {name: 'key'}});
    const seen = async (query = '') => {
      const answer = await server.client.get(`/seen${query}`);
      return answer.status === 200 ? answer.json<string[]>().join() : `${answer.status} ${answer.json<Status>().reason}`;
    };
    await until('it may read', async () => (await seen()) === 'key');
    // Nobody asked whether it may follow these.
    t.is(await seen('?of=configmaps'), '403 Forbidden');
    isAllowed = false;
    await until('it may no longer read', async () => (await seen()) === '403 Forbidden');
    isAllowed = true;
    await until('it may read', async () => (await seen()) === 'key');
    t.is(await seen('?end'), '403 Forbidden');
  },
);
