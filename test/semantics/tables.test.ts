import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure} from './answers.js';
import {configMap, gadget, gadgets, widget, widgetsVersion, withFixtures, type ReadList, type ReadObject} from './fixtures.js';

const eachStore = testOnEachStore(withFixtures);

interface Table {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ReadList['metadata'];
  readonly columnDefinitions: readonly {name: string; type: string; format: string; description: string; priority: number}[];
  readonly rows: readonly {cells: readonly unknown[]; object: ReadObject | null}[];
}

const asTable = (version = 'v1') => ({headers: {accept: `application/json;as=Table;g=meta.orch;v=${version}`}});

eachStore(
  'a collection, and one object, can be had as a Table, in both versions [A-NEG-2] [A-NEG-3] [A-TABLE-1] [A-TABLE-2]',
  async (t, {client, path}) => {
    const collection = path('configmaps');
    await client.post(collection, configMap('one', {a: '1', b: '2'}));
    await client.post(collection, configMap('two'));
    for (const version of ['v1', 'v1beta1']) {
      const response = await client.get(collection, asTable(version));
      t.is(response.headers['content-type'], 'application/json');
      const list = answer<Table>(t, response, 200);
      t.deepEqual([list.kind, list.apiVersion], ['Table', `meta.orch/${version}`]);
      t.regex(list.metadata.resourceVersion, /^\d+$/);
      for (const column of list.columnDefinitions) {
        t.truthy(column.name);
        t.truthy(column.type);
      }
      t.deepEqual(
        list.columnDefinitions.map(({name}) => name),
        ['Name', 'Data', 'Age'],
      );
      t.deepEqual(
        list.rows.map(({cells}) => cells.slice(0, 2)),
        [
          ['one', 2],
          ['two', 0],
        ],
      );
      t.regex(String(list.rows[0]!.cells[2]), /^\d+s$/);
      const one = answer<Table>(t, await client.get(`${collection}/one`, asTable(version)), 200);
      t.deepEqual(one.columnDefinitions, list.columnDefinitions);
      t.is(one.rows.length, 1);
      t.is(one.rows[0]!.cells[0], 'one');
      t.is(one.metadata.resourceVersion, one.rows[0]!.object!.metadata.resourceVersion);
    }
  },
);

eachStore('a row holds the metadata of its object, the object, or nothing, as includeObject says', async (t, {client, path}) => {
  const collection = path('widgets', widgetsVersion);
  const made = answer<ReadObject>(t, await client.post(collection, widget('one')), 201);
  for (const version of ['v1', 'v1beta1']) {
    const metadata = {kind: 'PartialObjectMetadata', apiVersion: `meta.orch/${version}`, metadata: made.metadata};
    for (const [query, expected] of [
      ['', metadata],
      ['?includeObject=', metadata],
      ['?includeObject=Metadata', metadata],
      ['?includeObject=Object', made],
      ['?includeObject=None', null],
    ] as const) {
      for (const target of [collection, `${collection}/one`]) {
        t.deepEqual(
          answer<Table>(t, await client.get(target + query, asTable(version)), 200).rows[0]!.object,
          expected as ReadObject | null,
          query,
        );
      }
    }
    assertFailure(t, await client.get(`${collection}?includeObject=All`, asTable(version)), 400, 'BadRequest', /includeObject/);
  }
});

eachStore('columns of a type come from its definition, wide ones with a priority', async (t, {client, path}) => {
  const collection = path('widgets', widgetsVersion);
  await client.post(collection, widget('one', {size: 'large', replicas: 3, colour: '#00ff00'}));
  const {columnDefinitions, rows} = answer<Table>(t, await client.get(collection, asTable()), 200);
  t.deepEqual(
    columnDefinitions.map(({name, type, priority}) => [name, type, priority]),
    [
      ['Name', 'string', 0],
      ['Size', 'string', 0],
      ['Replicas', 'integer', 0],
      ['Colour', 'string', 1],
      ['Age', 'date', 0],
    ],
  );
  t.deepEqual(rows[0]!.cells.slice(0, 4), ['one', 'large', 3, '#00ff00']);
});

eachStore('a type without columns of its own has Name and Created At [A-TABLE-3]', async (t, {client}) => {
  const made = answer<ReadObject>(t, await client.post(gadgets, gadget()), 201);
  const {columnDefinitions, rows} = answer<Table>(t, await client.get(`${gadgets}/${made.metadata.name}`, asTable()), 200);
  t.deepEqual(
    columnDefinitions.map(({name, type}) => [name, type]),
    [
      ['Name', 'string'],
      ['Created At', 'date'],
    ],
  );
  t.deepEqual(rows[0]!.cells, [made.metadata.name, made.metadata.creationTimestamp]);
});

eachStore('a Table comes in chunks as a list does', async (t, {client, path}) => {
  const collection = path('configmaps');
  for (const name of ['a', 'b', 'c']) await client.post(collection, configMap(name));
  const first = answer<Table>(t, await client.get(`${collection}?limit=2`, asTable()), 200);
  t.is(first.metadata.remainingItemCount, 1);
  const rest = answer<Table>(t, await client.get(`${collection}?limit=2&continue=${first.metadata.continue}`, asTable()), 200);
  t.deepEqual(
    [...first.rows, ...rest.rows].map(({cells}) => cells[0]),
    ['a', 'b', 'c'],
  );
  t.is(rest.metadata.resourceVersion, first.metadata.resourceVersion);
  const none = answer<Table>(t, await client.get(`${collection}?labelSelector=none`, asTable()), 200);
  t.deepEqual(none.rows, []);
  t.is(none.columnDefinitions.length, 3);
});

eachStore('writes answer with a Table too where that is asked for; failures stay a Status', async (t, {client, path}) => {
  const collection = path('configmaps');
  const made = answer<Table>(t, await client.post(collection, configMap('one'), asTable()), 201);
  t.deepEqual([made.kind, made.rows[0]!.cells[0]], ['Table', 'one']);
  t.is(answer<Table>(t, await client.put(`${collection}/one`, configMap('one', {a: '1'}), asTable()), 200).rows[0]!.cells[1], 1);
  t.is(answer<Table>(t, await client.patch(`${collection}/one`, {data: {b: '2'}}, undefined, asTable()), 200).rows[0]!.cells[1], 2);
  assertFailure(t, await client.get(`${collection}/none`, asTable()), 404, 'NotFound');
  t.is(answer<{kind: string}>(t, await client.delete(`${collection}/one`, asTable()), 200).kind, 'Status');
});

eachStore('a client that may meet types without a Table lists plain JSON behind it [A-NEG-15]', async (t, {client, path}) => {
  // Documents of discovery have no Table.
  const accept = `${asTable().headers.accept},application/json`;
  t.is(answer<{kind: string}>(t, await client.get('/apis', {headers: {accept}}), 200).kind, 'APIGroupList');
  t.is(answer<{kind: string}>(t, await client.get(path('configmaps'), {headers: {accept}}), 200).kind, 'Table');
});
