import test from 'ava';
import {TokenReviewHandler} from '../../../../plugins/resources/authentication/token-review-handler.js';
import {serviceUnavailable, unauthorized, type UserInfo} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';
import {whoAmIServed} from '../../authenticators/identity.js';
import {servedGroup} from '../served-group.js';

const client = servedGroup(test, whoAmIServed);
const tokens = '/apis/authentication.orch/v1/tokenreviews';
const self = '/apis/authentication.orch/v1alpha1/selfsubjectreviews';

function handler(answer: () => UserInfo | undefined, audiences: string[] = []): TokenReviewHandler {
  return new TokenReviewHandler({
    authorize: async () => ({decision: 'deny'}),
    readSelectors: () => ({unreadable: []}),
    rulesFor: async () => ({resourceRules: [], nonResourceRules: [], incomplete: false}),
    authenticateToken: async () => {
      const user = answer();
      return user && {user, audiences};
    },
  });
}

const review = {metadata: {}, spec: {token: 'secret'}};

test('[B-API-1] the server reviews tokens as authentication.orch/v1', async (t) => {
  const response = await client().post(tokens, {spec: {token: 'nobody knows this'}});
  t.is(response.status, 201);
  const {apiVersion, status} = response.json<{apiVersion: string; status: {authenticated?: boolean; user: object}}>();
  t.is(apiVersion, 'authentication.orch/v1');
  t.falsy(status.authenticated);
  t.deepEqual(status.user, {});
  t.is((await client().post(tokens, {spec: {}})).status, 400);
});

test('a review says whose a token is', async (t) => {
  const user = {username: 'jo', uid: 'u', groups: ['team'], extra: {scope: ['read']}};
  t.deepEqual((await handler(() => user).create(review))['status'], {authenticated: true, user});
  t.deepEqual((await handler(() => ({username: 'jo', groups: []}), ['vault']).create(review))['status'], {
    authenticated: true,
    user: {username: 'jo'},
    audiences: ['vault'],
  });
});

test('a token that is refused is an answer, one that nobody can check is not', async (t) => {
  const refused = handler(() => {
    throw unauthorized('token expired');
  });
  t.deepEqual((await refused.create(review))['status'], {user: {}, error: 'token expired'});
  const explained = handler(() => {
    throw unauthorized(undefined, {cause: new Error('its account is gone')});
  });
  t.deepEqual((await explained.create(review))['status'], {user: {}, error: 'its account is gone'});
  const silent = handler(() => {
    throw unauthorized();
  });
  t.deepEqual((await silent.create(review))['status'], {user: {}, error: 'invalid bearer token'});
  const away = handler(() => {
    throw serviceUnavailable('away');
  });
  await t.throwsAsync(away.create(review), {message: 'away'});
});

test('callers learn who they are where the alpha version is on', async (t) => {
  const response = await client().post(self, {apiVersion: 'authentication.orch/v1alpha1', kind: 'SelfSubjectReview'});
  t.is(response.status, 201);
  t.like(response.json<{status: object}>().status, {
    userInfo: {username: 'orch-admin', groups: ['system:masters', 'system:authenticated']},
  });
  await using server = await startTestServer();
  t.is((await server.client.post(self, {})).status, 404);
});
