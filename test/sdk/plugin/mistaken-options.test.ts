import test from 'ava';
import * as sdk from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';

/** The functions as JavaScript sees them. */
type Loose = Record<string, (...given: unknown[]) => unknown>;
const loose = sdk as unknown as Loose;
const call =
  (name: string, ...given: unknown[]) =>
  (): unknown =>
    loose[name]!(...given);

const validates = () => ({validate: () => undefined});
const policy = {name: 'Policy', operations: ['CREATE'], create: validates};
const box = {
  group: 'boxes.example.com',
  names: {plural: 'boxes', kind: 'Box'},
  scope: 'Cluster',
  versions: [{name: 'v1', schema: {type: 'object'}}],
};

const mistakes: readonly (readonly [what: string, make: () => unknown, message: RegExp])[] = [
  [
    'a misspelled list of resources',
    call('defineAdmission', {...policy, resorces: ['pods']}),
    /^defineAdmission Policy: resorces is not a known member; did you mean resources\?$/,
  ],
  ['a misspelled order', call('defineAdmission', {...policy, ordr: 5}), /ordr is not a known member; did you mean order\?$/],
  ['an order that is a text', call('defineAdmission', {...policy, order: '5'}), /order must be a number, not "5"$/],
  ['an order that is no number', call('defineAuthorizer', {name: 'A', order: Number.NaN, create: validates}), /order must be a number/],
  [
    'side effects as webhooks write them',
    call('defineAdmission', {...policy, sideEffects: 'None'}),
    /sideEffects must be one of none, none-on-dry-run, some, not "None"; did you mean none\?$/,
  ],
  ['no operations', call('defineAdmission', {name: 'Policy', create: validates}), /operations is required/],
  [
    'an empty list of operations',
    call('defineAdmission', {...policy, operations: []}),
    /operations must be a list with some of CREATE, UPDATE, DELETE, CONNECT, not \[\]/,
  ],
  [
    'an operation in small letters',
    call('defineAdmission', {...policy, operations: ['create']}),
    /"create" is none; did you mean CREATE\?/,
  ],
  [
    'an empty list of resources',
    call('defineAdmission', {...policy, resources: []}),
    /resources must be a list of texts that is not empty/,
  ],
  [
    'one resource in place of a list',
    call('defineAdmission', {...policy, resources: 'pods'}),
    /resources must be a list of texts that is not empty, not "pods"/,
  ],
  ['no name', call('defineAdmission', {operations: ['CREATE'], create: validates}), /^defineAdmission: name is required$/],
  ['no name of a caller of webhooks', call('defineWebhookCaller', {create: validates}), /^defineWebhookCaller: name is required$/],
  ['no create', call('defineAuthenticator', {name: 'A'}), /^defineAuthenticator A: create is required$/],
  ['a create that is an object', call('defineController', {name: 'loop', create: {}}), /create must be a function, not \{\}/],
  ['several faults at once', call('defineAdmission', {...policy, resorces: [], order: '5'}), /resorces .*; order must be/],
  ['no options at all', call('defineAuthorizer'), /^defineAuthorizer needs an object with its options, not undefined$/],
  [
    'a fallback that is a text',
    call('defineAuthenticator', {name: 'A', fallback: 'yes', create: validates}),
    /fallback must be true or false, not "yes"/,
  ],
  [
    'a fallback of what has none',
    call('defineAuthorizer', {name: 'A', fallback: true, create: validates}),
    /fallback is not a known member/,
  ],
  [
    'a misspelled member of a controller',
    call('defineController', {name: 'loop', leaderElecton: false, create: validates}),
    /leaderElecton is not a known member; did you mean leaderElection\?/,
  ],
  ['a route without a path', call('defineRoute', {methods: ['GET'], create: validates}), /^defineRoute: path is required$/],
  ['a route without methods', call('defineRoute', {path: '/a', create: validates}), /methods is required/],
  ['a store without schemes', call('defineStore', {create: validates}), /^defineStore: schemes is required$/],
  [
    'a store with an empty list of schemes',
    call('defineStore', {schemes: [], create: validates}),
    /schemes must be a list of texts that is not empty/,
  ],
  [
    'a service with a name in place of a token',
    call('defineService', {token: 'calendar', create: validates}),
    /token must be what serviceToken returned/,
  ],
  ['a type without names', call('defineResource', {...box, names: undefined}), /^defineResource: names is required$/],
  ['a type without versions', call('defineResource', {...box, versions: undefined}), /^defineResource Box: versions is required$/],
  [
    'a type with one version in place of a list',
    call('defineResource', {...box, versions: box.versions[0]}),
    /versions must be a list of versions/,
  ],
  ['a strategy that is an object', call('defineResource', {...box, strategy: {}}), /strategy must be a function, not \{\}/],
  [
    'a misspelled strategy',
    call('defineResource', {...box, strategie: validates}),
    /strategie is not a known member; did you mean strategy\?/,
  ],
  [
    'a handler of a subresource that is a name',
    call('defineResource', {...box, versions: [{...box.versions[0], subresources: {ring: {handler: 'Ring'}}}]}),
    /^defineResource Box: handler of v1\/ring must be a function, not "Ring"$/,
  ],
  [
    'a plugin without a list',
    call('definePlugin', {name: 'books'}),
    /^definePlugin books needs a list of contributions as its second parameter$/,
  ],
  [
    'a contribution that is none',
    call('definePlugin', {name: 'books'}, [policy]),
    /^definePlugin books: contribution 1 was not made by one of the define… functions$/,
  ],
  ['a plugin without anything', call('definePlugin'), /^definePlugin needs an object with the name of the plugin first$/],
  ['a decorator without operations', call('admission', {}), /^@admission: operations is required$/],
  ['a decorator without options', call('admission'), /^@admission needs an object with its options, not undefined$/],
  ['a decorator with an option that it has not', call('authorizer', {fallback: true}), /^@authorizer: fallback is not a known member$/],
];

for (const [what, make, message] of mistakes) {
  test(`an author without a type checker is told of ${what} where it stands`, (t) => {
    const error = t.throws(make, {instanceOf: TypeError});
    t.regex(error.message, message);
  });
}

const starts: readonly (readonly [what: string, create: () => unknown, message: RegExp])[] = [
  ['a promise', async () => ({validate: () => undefined}), /constructing Policy failed: create returned a promise; .* belongs into start/],
  ['nothing', () => undefined, /constructing Policy failed: create returned undefined, not an object/],
];
for (const [what, create, message] of starts) {
  test(`a function that creates ${what} keeps the server from starting`, async (t) => {
    const plugin = call('definePlugin', {name: 'boxes'}, [call('defineAdmission', {...policy, create})()])();
    const error = await t.throwsAsync(startTestServer({plugins: [plugin as never]}));
    t.regex(error.message, message);
  });
}

const url = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name}});
async function dryRunStatus(definition: object, before = false): Promise<{status: number; text: string}> {
  const admission = sdk.defineAdmission({name: 'Policy', operations: ['CREATE'], resources: ['configmaps'], ...definition} as never);
  await using server = await startTestServer({plugins: [sdk.definePlugin({name: 'policies'}, [admission])]});
  if (before) await server.client.post(url, map('a'));
  const answer = await server.client.post(`${url}?dryRun=All`, map('b'));
  return {status: answer.status, text: answer.body.toString()};
}

test('a controller that does not say whether it has side effects gets dry runs only if it calls nobody', async (t) => {
  t.is((await dryRunStatus({create: validates})).status, 201);
  let calls = 0;
  const validate = async () => void (calls += 1);
  const refused = await dryRunStatus({create: () => ({validate})});
  t.is(refused.status, 400);
  t.regex(refused.text, /may have side effects \(it does not say `sideEffects`\) and does not support dry run/);
  t.is(calls, 0);
  t.is((await dryRunStatus({create: () => ({validate}), sideEffects: 'none'})).status, 201);
  // A function may return a promise without being async: that shows when it is called.
  const later = {create: () => ({validate: () => Promise.resolve()})};
  t.is((await dryRunStatus(later)).status, 400);
  t.is((await dryRunStatus(later, true)).status, 400);
});
