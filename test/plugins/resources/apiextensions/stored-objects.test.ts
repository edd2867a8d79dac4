import type {ApiList, ApiObject} from '@orch-api/orch/sdk';
import {until} from '../../../helpers/eventually.js';
import type {TestClient} from '@orch-api/orch/testing';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {change, definition, definitionsPath, establish, freshGroup, version, widgetOf, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();

interface Widget extends ApiObject {
  readonly spec: Json;
}

const object = (properties: Json): Json => ({type: 'object', properties});
const text = {type: 'string'};

/** Changes the versions of a definition and waits until the change is in effect, which `probe` tells of the object at `url`. */
async function redefine(
  client: TestClient,
  group: string,
  versions: readonly Json[],
  url: string,
  probe: (widget: Widget) => boolean,
): Promise<void> {
  await change(client, `widgets.${group}`, {spec: {versions}}, async () => {
    const response = await client.get(url);
    return response.status === 200 && probe(response.json<Widget>());
  });
}

storeTest(
  'defaults that a definition gains show in objects stored before, nested ones in lists too; the store keeps them as they were',
  async (t, {client, path}) => {
    const group = freshGroup();
    const parts = (item: Json) => object({size: text, parts: {type: 'array', items: object(item)}});
    await establish(client, definition(group, [version(parts({name: text}))]));
    const collection = path('widgets', `${group}/v1`);
    const made = (
      await client.post(collection, widgetOf(group, 'w', {spec: {parts: [{name: 'a'}, {name: 'b', colour: 'red'}]}}))
    ).json<Widget>();
    t.deepEqual(made.spec, {parts: [{name: 'a'}, {name: 'b'}]});
    const withDefaults = {...parts({name: text, colour: {...text, default: 'blue'}})};
    (withDefaults['properties'] as Json)['size'] = {...text, default: 'small'};
    await redefine(
      client,
      group,
      [version(withDefaults, {selectableFields: [{jsonPath: '.spec.size'}]})],
      `${collection}/w`,
      ({spec}) => spec['size'] === 'small',
    );
    const expected = {
      size: 'small',
      parts: [
        {name: 'a', colour: 'blue'},
        {name: 'b', colour: 'blue'},
      ],
    };
    const read = (await client.get(`${collection}/w`)).json<Widget>();
    t.deepEqual(read.spec, expected);
    t.is(read.metadata.resourceVersion, made.metadata.resourceVersion);
    t.deepEqual(
      (await client.get(collection)).json<ApiList>().items.map(({spec}) => spec),
      [expected],
    );
    const selected = async (size: string) =>
      (await client.get(`${collection}?fieldSelector=spec.size%3D${size}`)).json<ApiList>().items.length;
    t.deepEqual([await selected('small'), await selected('')], [1, 0]);
    for await (const event of client.watch(`${collection}?watch=1`)) {
      t.deepEqual(event.object['spec'], expected);
      break;
    }
    t.deepEqual(
      (await client.get(`${collection}/w`, {headers: {accept: 'application/yaml'}})).body.toString().match(/colour: blue/g)?.length,
      2,
    );

    // A definition without them shows what was stored: reading has not changed it.
    await redefine(client, group, [version(parts({name: text}))], `${collection}/w`, ({spec}) => spec['size'] === undefined);
    t.deepEqual((await client.get(`${collection}/w`)).json<Widget>(), made);
  },
);

storeTest(
  'a watch ends when the definition changes; one that goes on from there shows objects as the new one has them',
  async (t, {client, path}) => {
    const group = freshGroup();
    await establish(client, definition(group, [version(object({size: text}))]));
    const collection = path('widgets', `${group}/v1`);
    const seen: string[] = [];
    let {resourceVersion} = (await client.post(collection, widgetOf(group, 'w', {spec: {size: 'small'}}))).json<Widget>().metadata;
    /** Follows the collection from one watch to the next, as informers do. */
    const follow = async (until: string) => {
      while (seen.at(-1) !== until) {
        for await (const event of client.watch(`${collection}?watch=1&resourceVersion=${resourceVersion}`)) {
          ({resourceVersion} = event.object.metadata);
          seen.push(`${event.type} ${JSON.stringify(event.object['spec'])}`);
          if (seen.at(-1) === until) break;
        }
      }
    };
    const following = follow('MODIFIED {"size":"small","colour":"red"}');
    await client.patch(`${definitionsPath}/widgets.${group}`, {spec: {versions: [version(object({size: text, colour: text}))]}});
    await until(
      'the new field',
      async () => (await client.patch(`${collection}/w`, {spec: {colour: 'red'}})).json<Widget>().spec['colour'] === 'red',
    );
    await following;
    t.deepEqual(seen, ['MODIFIED {"size":"small","colour":"red"}']);
  },
);

storeTest(
  'fields that a definition loses no longer show in objects stored before; an update that changes nothing takes them out of the store',
  async (t, {client, path}) => {
    const group = freshGroup();
    const both = version(object({size: text, colour: text}));
    const one = version(object({size: text}));
    await establish(client, definition(group, [both]));
    const collection = path('widgets', `${group}/v1`);
    await client.post(collection, widgetOf(group, 'w', {spec: {size: 'small', colour: 'red'}}));
    await redefine(client, group, [one], `${collection}/w`, ({spec}) => spec['colour'] === undefined);
    const read = (await client.get(`${collection}/w`)).json<Widget>();
    t.deepEqual(read.spec, {size: 'small'});
    await redefine(client, group, [both], `${collection}/w`, ({spec}) => spec['colour'] === 'red');
    await redefine(client, group, [one], `${collection}/w`, ({spec}) => spec['colour'] === undefined);
    const written = await client.put(`${collection}/w`, read);
    t.is(written.status, 200);
    t.not(written.json<Widget>().metadata.resourceVersion, read.metadata.resourceVersion);
    await change(
      client,
      `widgets.${group}`,
      {spec: {versions: [both]}},
      async () =>
        (await client.post(`${collection}?dryRun=All&fieldValidation=Strict`, widgetOf(group, 'x', {spec: {colour: 'red'}}))).status ===
        201,
    );
    t.deepEqual((await client.get(`${collection}/w`)).json<Widget>().spec, {size: 'small'});
    const again = await client.put(`${collection}/w`, written.json<Widget>());
    t.is(
      again.json<Widget>().metadata.resourceVersion,
      written.json<Widget>().metadata.resourceVersion,
      'what is stored as it is seen is not written again',
    );
  },
);

storeTest(
  'writing every object back as it is migrates a type to its new storage version; the old one can go then',
  async (t, {client, path}) => {
    const group = freshGroup();
    const name = `widgets.${group}`;
    const spec = object({size: text});
    const v1 = version(spec);
    const v2 = version(object({size: text, colour: {...text, default: 'blue'}}), {name: 'v2', storage: false});
    await establish(client, definition(group, [v1, v2]));
    const [old, next] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
    await client.post(old, widgetOf(group, 'w', {spec: {size: 'small'}}));
    t.deepEqual(
      (await client.get(`${next}/w`)).json<Widget>().spec,
      {size: 'small'},
      'the defaults of the version that is stored count, not those of the one that is shown',
    );
    await client.patch(`${definitionsPath}/${name}`, {
      spec: {
        versions: [
          {...v1, storage: false},
          {...v2, storage: true},
        ],
      },
    });
    await until(
      'both stored versions',
      async () =>
        (await client.get(`${definitionsPath}/${name}`)).json<{status: {storedVersions: string[]}}>().status.storedVersions.length === 2,
    );
    const before = (await client.get(`${next}/w`)).json<Widget>();
    const after = await until('the migration', async () => {
      const put = await client.put(`${next}/w`, (await client.get(`${next}/w`)).json<Widget>());
      t.is(put.status, 200);
      const migrated = put.json<Widget>();
      return migrated.metadata.resourceVersion !== before.metadata.resourceVersion && migrated;
    });
    t.deepEqual(after.spec, {size: 'small', colour: 'blue'});
    t.is((await client.patch(`${definitionsPath}/${name}/status`, {status: {storedVersions: ['v2']}})).status, 200);
    t.is((await client.patch(`${definitionsPath}/${name}`, {spec: {versions: [{...v2, storage: true}]}})).status, 200);
    await until('the end of v1', async () => (await client.get(`${old}/w`)).status === 404);
    t.deepEqual((await client.get(`${next}/w`)).json<Widget>(), after);
  },
);

storeTest('a version shows the fields that it has, so that strict patches and updates through it are taken', async (t, {client, path}) => {
  const group = freshGroup();
  const v2 = version(object({size: text, colour: text}), {name: 'v2', storage: false});
  await establish(client, definition(group, [version(object({size: text, weight: text})), v2]));
  const [old, next] = [path('widgets', `${group}/v1`), path('widgets', `${group}/v2`)];
  await client.post(old, widgetOf(group, 'w', {spec: {size: 'small', weight: '1kg'}}));
  const shown = (await client.get(`${next}/w`)).json<Widget>();
  t.deepEqual(shown.spec, {size: 'small'});
  t.deepEqual(
    (await client.get(next)).json<ApiList>().items.map(({spec}) => spec),
    [{size: 'small'}],
  );
  t.is(
    (await client.put(`${next}/w?fieldValidation=Strict`, shown)).json<Widget>().metadata.resourceVersion,
    shown.metadata.resourceVersion,
  );
  t.deepEqual(
    (await client.get(`${old}/w`)).json<Widget>().spec,
    {size: 'small', weight: '1kg'},
    'a write that changes nothing takes nothing away',
  );
  const labelled = await client.patch(`${next}/w?fieldValidation=Strict`, {metadata: {labels: {a: 'b'}}});
  t.is(labelled.status, 200, labelled.body.toString());
  t.is(labelled.json<Widget>().metadata.generation, 1);
});

storeTest(
  'a field selector compares what its version shows, though objects are stored in a version without that field by now',
  async (t, {client, path}) => {
    const group = freshGroup();
    const v1 = version(object({size: text}), {selectableFields: [{jsonPath: '.spec.size'}]});
    const v2 = version(object({colour: text}), {name: 'v2', storage: false});
    await establish(client, definition(group, [v1, v2]));
    const collection = path('widgets', `${group}/v1`);
    await client.post(collection, widgetOf(group, 'w', {spec: {size: 'small'}}));
    await client.patch(`${definitionsPath}/widgets.${group}`, {
      spec: {
        versions: [
          {...v1, storage: false},
          {...v2, storage: true},
        ],
        names: {shortNames: ['flipped']},
      },
    });
    await until('the new storage version', async () => (await client.get(`/apis/${group}/v1`)).body.includes('flipped'));
    const selected = async (size: string) =>
      (await client.get(`${collection}?fieldSelector=spec.size%3D${size}`)).json<ApiList>().items.map(({spec}) => spec);
    t.deepEqual([await selected('small'), await selected('')], [[{size: 'small'}], []]);
  },
);

storeTest('a watch goes on when a change of the definition leaves what is shown as it was', async (t, {client, path}) => {
  const group = freshGroup();
  await establish(client, definition(group));
  const collection = path('widgets', `${group}/v1`);
  const events: string[] = [];
  const end = new AbortController();
  const watching = (async () => {
    for await (const {type, object} of client.watch(`${collection}?watch=1`, {signal: end.signal}))
      events.push(`${type} ${object.metadata.name}`);
  })();
  t.is((await client.post(collection, widgetOf(group, 'first'))).status, 201);
  await until('the first event', async () => events.length === 1);
  await change(client, `widgets.${group}`, {spec: {names: {shortNames: ['wid'], categories: ['all']}}}, async () =>
    (await client.get(`/apis/${group}/v1`)).body.includes('"wid"'),
  );
  t.is((await client.post(collection, widgetOf(group, 'second'))).status, 201);
  await until('the second event', async () => events.length === 2);
  t.deepEqual(events, ['ADDED first', 'ADDED second']);
  end.abort();
  await watching;
});
