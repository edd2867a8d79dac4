import test from 'ava';
import {definePlugin, defineRoute} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';

const desk = definePlugin({name: 'desk'}, [
  ...[true, false].map((isPublic) =>
    defineRoute({
      path: isPublic ? '/desk/open/*' : '/desk/*',
      methods: ['GET'],
      public: isPublic,
      create: () => ({handle: ({user}, response) => void response.end(user.username)}),
    }),
  ),
]);

test('a public route is answered without credentials, those beside it are not', async (t) => {
  await using server = await startTestServer({plugins: [desk], flags: {'anonymous-auth': false}});
  const open = await server.client.get('/desk/open/door', {anonymous: true});
  t.is(open.status, 200);
  t.is(open.body.toString(), 'system:anonymous');
  t.is((await server.client.get('/desk/closed', {anonymous: true})).status, 401);
  t.is((await server.client.post('/desk/open/door', undefined, {anonymous: true})).status, 401, 'another method is not the route');
});

test('a public route asks no authorizer, and knows who has credentials', async (t) => {
  await using server = await startTestServer({plugins: [desk]});
  t.is((await server.client.get('/desk/closed', {anonymous: true})).status, 403);
  t.is((await server.client.get('/desk/open/door', {anonymous: true})).status, 200);
  t.is((await server.client.get('/desk/open/door')).body.toString(), (await server.client.get('/desk/closed')).body.toString());
});

test('credentials that nobody accepts are refused at a public route too', async (t) => {
  await using server = await startTestServer({plugins: [desk]});
  const headers = {authorization: 'Bearer nobody-knows-this'};
  t.is((await server.client.get('/desk/open/door', {anonymous: true, headers})).status, 401);
});
