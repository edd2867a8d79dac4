import test from 'ava';
import {Masters} from '../../../plugins/authorizers/masters/plugin.js';
import {contributionOf} from '../../../sdk/index.js';

function attributes(groups: string[]) {
  return {
    user: {username: 'ada', groups},
    verb: 'delete',
    isResourceRequest: true,
    path: '/api/v1/namespaces/default/secrets/a',
    group: '',
    version: 'v1',
    resource: 'secrets',
    subresource: '',
    namespace: 'default',
    name: 'a',
  };
}

test('a member of system:masters may do everything', (t) => {
  t.is(new Masters().authorize(attributes(['dev', 'system:masters'])).decision, 'allow');
});

test('about everybody else the masters authorizer has no opinion', (t) => {
  for (const groups of [[], ['system:master'], ['system:masters '], ['System:Masters'], ['system:authenticated']]) {
    t.is(new Masters().authorize(attributes(groups)).decision, 'no-opinion', groups.join());
  }
});

test('the masters authorizer is asked before all others', (t) => {
  t.deepEqual(contributionOf(Masters), {kind: 'authorizer', options: {order: 0}});
});
