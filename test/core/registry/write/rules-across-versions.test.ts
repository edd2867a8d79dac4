import test, {type ExecutionContext} from 'ava';
import {definePlugin, defineResource, FieldPath, invalid, required, type ApiObject, type FieldError, type Status} from '@orch-api/orch/sdk';
import {startTestServer} from '@orch-api/orch/testing';

interface Hut extends ApiObject {
  spec?: {hours?: string; first?: string; last?: string; title?: string; slug?: string; beds?: number};
}

const spec = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties: {spec: {type: 'object', properties, ...rest}},
});
const text = {type: 'string'};
/** Sees the order of two times, which the older version has in one text. */
function inOrder({apiVersion, spec: {first = '', last = ''} = {}}: Hut, versions: string[]): FieldError[] {
  versions.push(apiVersion!);
  return first < last ? [] : [invalid(FieldPath.of('spec', 'last'), last, 'must be after first')];
}

async function start(t: ExecutionContext, more: object = {}) {
  const versions: string[] = [];
  const plugin = definePlugin({name: 'huts'}, [
    defineResource({
      group: 'huts.example.com',
      names: {plural: 'huts', singular: 'hut', kind: 'Hut'},
      scope: 'Cluster',
      versions: [
        {
          name: 'v1',
          storage: true,
          schema: spec(
            {first: text, last: text, title: {...text, minLength: 2}, slug: text, beds: {type: 'integer', default: 1, maximum: 9}},
            {required: ['first'], 'x-kubernetes-validations': [{rule: "!has(self.title) || self.title != 'closed'", message: 'is closed'}]},
          ),
        },
        {name: 'v2', schema: spec({hours: text, title: text, slug: text, beds: {type: 'integer'}})},
      ],
      strategy: () => ({
        convert({spec: {hours, first, last, ...rest} = {}, ...object}: Hut, {version}): ApiObject {
          const [from, to] = hours?.split('-') ?? [];
          return version === 'v1'
            ? {...object, apiVersion: 'huts.example.com/v1', spec: {...rest, ...(from ? {first: from} : {}), ...(to ? {last: to} : {})}}
            : {...object, apiVersion: 'huts.example.com/v2', spec: {...rest, hours: `${first ?? ''}-${last ?? ''}`}};
        },
        applyDefaults({apiVersion, spec: own}: Hut) {
          if (apiVersion!.endsWith('/v1') && own?.title) own.slug ??= own.title.toLowerCase();
        },
        validateCreate: (hut: Hut) => inOrder(hut, versions),
        validateUpdate: (hut: Hut) => inOrder(hut, versions),
      }),
      ...more,
    }),
  ]);
  const server = await startTestServer({plugins: [plugin]});
  t.teardown(() => server.stop());
  const url = (version: string, name = '') => `/apis/huts.example.com/${version}/huts${name}`;
  const make = (version: string, name: string, own: object) => server.client.post(url(version), {metadata: {name}, spec: own});
  return {server, url, make, versions};
}

/** Without the note that rules were not checked, which names no field. */
const fieldsOf = (status: Status) => (status.details?.causes ?? []).flatMap(({field}) => field || []).toSorted();

test('a rule of a strategy holds whichever version a client speaks', async (t) => {
  const {server, url, make, versions} = await start(t);
  t.is((await make('v1', 'a', {first: '10:00', last: '09:00'})).status, 422);
  const older = await make('v2', 'a', {hours: '10:00-09:00'});
  t.is(older.status, 422, older.body.toString());
  t.deepEqual(fieldsOf(older.json<Status>()), ['spec.last']);
  t.is((await make('v2', 'a', {hours: '09:00-10:00'})).status, 201);
  for (const [method, body] of [
    ['PUT', {apiVersion: 'huts.example.com/v2', kind: 'Hut', metadata: {name: 'a'}, spec: {hours: '10:00-09:00'}}],
    ['PATCH', {spec: {hours: '10:00-09:00'}}],
  ] as const) {
    const headers = {'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'};
    const changed = await server.client.request(method, url('v2', '/a'), {headers, body: JSON.stringify(body)});
    t.is(changed.status, 422, `${method} ${changed.body.toString()}`);
  }
  t.deepEqual([...new Set(versions)], ['huts.example.com/v1']);
});

test('a rule of the stored schema holds whichever version a client speaks', async (t) => {
  const {make} = await start(t);
  for (const own of [{title: 'closed'}, {title: 'x'}, {beds: 12}]) {
    const answer = await make('v2', 'a', {hours: '09:00-10:00', ...own});
    t.is(answer.status, 422, JSON.stringify(own));
  }
});

test('a type may have its rules judge the version of the request', async (t) => {
  const {make, versions} = await start(t, {behaviour: {validation: 'request'}});
  await make('v2', 'a', {hours: '09:00-10:00'});
  t.deepEqual(versions, ['huts.example.com/v2']);
});

test('faults of the schema and of the strategy are reported together', async (t) => {
  const {make} = await start(t);
  t.deepEqual(fieldsOf((await make('v1', 'a', {first: '9', last: '8', title: 'x', beds: 12})).json<Status>()), [
    'spec.beds',
    'spec.last',
    'spec.title',
  ]);
  t.deepEqual(fieldsOf((await make('v1', 'a', {first: '9', last: '8', title: 'closed'})).json<Status>()), ['spec', 'spec.last']);
});

test('what a strategy repeats or fails on because the schema is broken is not told', async (t) => {
  const strategy = () => ({
    validateCreate(hut: Hut): FieldError[] {
      const first = FieldPath.of('spec', 'first');
      if (hut.spec!.title === 'bang') throw new TypeError('bang');
      return hut.spec!.first === undefined ? [required(first)] : [];
    },
  });
  const {make} = await start(t, {strategy});
  const repeated = await make('v1', 'a', {title: 'abc'});
  t.deepEqual([repeated.status, fieldsOf(repeated.json<Status>())], [422, ['<nil>', 'spec.first']]);
  const failed = await make('v1', 'a', {title: 'bang'});
  t.deepEqual([failed.status, fieldsOf(failed.json<Status>())], [422, ['<nil>', 'spec.first']]);
  t.is((await make('v1', 'a', {title: 'bang', first: '9'})).status, 500);
});

test('an object of another version is stored with the defaults of the stored one, those of the strategy too', async (t) => {
  const {server, url, make} = await start(t);
  t.is((await make('v2', 'a', {hours: '09:00-10:00', title: 'Alpine'})).status, 201);
  const read = (await server.client.get(url('v1', '/a'))).json<Hut>();
  t.like(read.spec, {slug: 'alpine', beds: 1, first: '09:00', last: '10:00'});
  const list = (await server.client.get(url('v1'))).json<{items: Hut[]}>();
  t.is(list.items[0]!.spec!.slug, 'alpine');
});
