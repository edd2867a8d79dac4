import {testOnEachStore} from '../helpers/each-store.js';
import {answer, assertFailure, warningsOf} from './answers.js';
import {apply, applyPatch, ownersOf, shelf, shelvesVersion, stored, withShelves, type OwnedObject} from './apply-fixtures.js';
import {configMap, gadget, gadgets} from './fixtures.js';

const eachStore = testOnEachStore(withShelves);

eachStore(
  'apply creates what is not there and answers 201, later 200 [A-SSA-1] [A-SSA-2] [A-OPS-6] [A-OPS-7] [A-SVC-15]',
  async (t, {client, path}) => {
    const item = `${path('configmaps')}/one`;
    const made = answer<OwnedObject>(t, await apply(client, item, 'one', configMap('one', {a: '1'})), 201);
    t.truthy(made.metadata.uid);
    t.deepEqual(ownersOf(made), {one: ['.data.a']});
    const changed = answer<OwnedObject>(t, await apply(client, item, 'two', configMap('one', {b: '2'})), 200);
    t.deepEqual(changed.data, {a: '1', b: '2'});
    t.is(changed.metadata.uid, made.metadata.uid);
    t.deepEqual(await stored(t, client, item), changed);
  },
);

eachStore('null in a configuration is no value: it is refused where the schema has one and no default', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  const status = assertFailure(
    t,
    await apply(client, item, 'one', shelf('one', {width: null, labels: {a: null}, books: [{title: 'Emma', pages: null}]})),
    422,
    'Invalid',
  );
  t.deepEqual(status.details!.causes!.map(({field, message}) => `${field}: ${message}`).toSorted(), [
    'spec.books[0].pages: Invalid value: "null": spec.books[0].pages in body must be of type integer: "null"',
    'spec.labels.a: Invalid value: "null": spec.labels.a in body must be of type string: "null"',
    'spec.width: Invalid value: "null": spec.width in body must be of type integer: "null"',
  ]);
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {colour: null, free: {any: null}})), 201);
  t.is((made['spec'] as {colour: string}).colour, 'white');
  answer(t, await client.post(path('shelves', shelvesVersion), shelf('two', {width: null})), 201);
  answer(t, await apply(client, `${path('configmaps')}/one`, 'one', configMap('one', {a: null as never})), 201);
});

eachStore('null in a configuration counts for nothing where the endpoint sets no such field', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  answer(t, await apply(client, item, 'one', shelf('one', {width: 1}, {status: null})), 201);
  const config = (status: object) => shelf('one', {width: null}, {status});
  const changed = answer<OwnedObject>(t, await apply(client, `${item}/status`, 'two', config({boards: 2})), 200);
  t.like(changed, {spec: {width: 1}, status: {boards: 2}});
  const status = assertFailure(t, await apply(client, `${item}/status`, 'two', config({boards: null})), 422, 'Invalid');
  t.deepEqual(
    status.details!.causes!.map(({field, message}) => `${field}: ${message}`),
    ['status.boards: Invalid value: "null": boards in body must be of type integer: "null"'],
  );
});

eachStore('a configuration for the status of a service that is not there is read, and makes none', async (t, {client, path}) => {
  const status = `${path('services')}/none/status`;
  const service = (name: string, more: object = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {name},
    spec: {ports: [{port: 80}]},
    ...more,
  });
  assertFailure(t, await apply(client, status, 'one', service('none')), 404, 'NotFound');
  assertFailure(t, await apply(client, status, 'one', service('other')), 400, 'BadRequest');
  assertFailure(t, await apply(client, status, 'one', service('none', {unknown: 1})), 400, 'BadRequest');
  assertFailure(t, await client.get(`${path('services')}/none`), 404, 'NotFound');
});

eachStore('apply is among the patches that documents name', async (t, {client, path}) => {
  const document = answer<{paths: Record<string, {patch?: {requestBody: {content: object}}}>}>(
    t,
    await client.get('/openapi/v3/api/v1'),
    200,
  );
  const types = Object.keys(document.paths['/api/v1/namespaces/{namespace}/configmaps/{name}']!.patch!.requestBody.content);
  t.true(types.includes(applyPatch), types.join());
  const custom = answer<typeof document>(t, await client.get(`/openapi/v3/apis/${shelvesVersion}`), 200);
  for (const rest of ['', '/status', '/scale']) {
    t.true(
      applyPatch in custom.paths[`/apis/${shelvesVersion}/namespaces/{namespace}/shelves/{name}${rest}`]!.patch!.requestBody.content,
      rest,
    );
  }
  assertFailure(
    t,
    await client.patch(`${path('configmaps')}/one`, {}, 'application/patch'),
    415,
    'UnsupportedMediaType',
    /^415: Unsupported Media Type$/,
  );
});

eachStore('the body of an apply is YAML or JSON, and may leave the namespace to the path [A-NEG-7]', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/yaml`;
  const yaml = `# a shelf\napiVersion: ${shelvesVersion}\nkind: Shelf\nmetadata: {name: yaml}\nspec:\n  width: 3\n  tags:\n  - oak\n`;
  t.deepEqual(answer<OwnedObject>(t, await apply(client, item, 'one', yaml), 201).spec, {colour: 'white', width: 3, tags: ['oak']});
  const json = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('yaml', {width: 4})), 200);
  t.deepEqual(json.spec, {colour: 'white', width: 4});
});

eachStore('apply without a manager is refused, and so is force without apply [A-SSA-3]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const unnamed = await client.patch(item, configMap('one'), applyPatch);
  assertFailure(t, unnamed, 422, 'Invalid', /fieldManager: Required value: is required for apply patch/);
  assertFailure(
    t,
    await client.patch(`${item}?fieldManager=`, configMap('one'), applyPatch),
    422,
    'Invalid',
    /fieldManager: Required value/,
  );
  assertFailure(
    t,
    await client.patch(`${item}?force=true`, {data: {}}),
    422,
    'Invalid',
    /force: Forbidden: may not be specified for non-apply patch/,
  );
  assertFailure(t, await apply(client, item, 'x'.repeat(129), configMap('one')), 422, 'Invalid', /fieldManager/);
  assertFailure(t, await client.get(item), 404, 'NotFound');
});

eachStore('a body that is no configuration of the object is refused with 400 [A-SSA-5]', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const refused = async (config: unknown, message: RegExp) =>
    assertFailure(t, await apply(client, item, 'one', config), 400, 'BadRequest', message);
  const config = configMap('one', {a: '1'});
  for (let round = 1; round <= 2; round++) {
    for (const managedFields of [[], [{}], [{manager: 'one', operation: 'Apply'}]]) {
      await refused({...config, metadata: {name: 'one', managedFields}}, /metadata\.managedFields must be nil/);
    }
    // The object that is there has a name.
    for (const nameless of [
      {...config, metadata: {}},
      {apiVersion: 'v1', kind: 'ConfigMap', metadata: null},
      {apiVersion: 'v1', kind: 'ConfigMap'},
    ]) {
      if (round === 1) await refused(nameless, /name must be provided/);
      else answer(t, await apply(client, item, 'one', nameless), 200);
    }
    await refused(configMap('two'), /the name of the object \(two\) does not match the name on the URL \(one\)/);
    await refused({...config, metadata: {name: 'one', namespace: 'other'}}, /namespace/);
    await refused({...config, apiVersion: 'v2'}, /Incorrect version specified in apply patch\. Specified patch version: v2, expected: v1/);
    await refused({...config, apiVersion: undefined}, /Incorrect version/);
    await refused({...config, kind: 'Secret'}, /invalid object type: \/v1, Kind=Secret/);
    await refused({...config, kind: undefined}, /invalid object type: \/v1, Kind=/);
    await refused({...config, data: {a: 1}}, /ConfigMap\.data of type string/);
    await refused('[]', /json: cannot unmarshal array into Go value of type map/);
    await refused('"text"', /json: cannot unmarshal string into Go value of type map/);
    await refused('', /invalid object type: \/, Kind=/);
    await refused('a: b: c', /YAML/);
    await refused('--- {}\n--- {}\n', /more than one document/);
    // Once without and once with the object there.
    if (round === 1) answer(t, await apply(client, item, 'one', {...config, metadata: {name: 'one', managedFields: null}}), 201);
  }
});

eachStore(
  'a configuration with a repeated list entry is refused, one with a repeated field as its field validation says',
  async (t, {client, path}) => {
    const item = `${path('shelves', shelvesVersion)}/one`;
    for (const level of ['Ignore', 'Warn', 'Strict']) {
      const refused = async (config: unknown, message: RegExp) =>
        assertFailure(t, await apply(client, item, 'one', config, `&fieldValidation=${level}`), 400, 'BadRequest', message);
      await refused(shelf('one', {tags: ['a', 'a']}), /\.spec\.tags: duplicate entries for key \[="a"\]/);
      await refused(
        shelf('one', {books: [{title: 't'}, {title: 't', edition: 1}]}),
        /\.spec\.books: duplicate entries for key \[edition=1,title="t"\]/,
      );
    }
    const texts = {
      json: `{"apiVersion":"${shelvesVersion}","kind":"Shelf",\n"metadata":{"name":"one"},\n"spec":{"width":1,\n"width":2}}`,
      yaml: `apiVersion: ${shelvesVersion}\nkind: Shelf\nmetadata: {name: one}\nspec:\n  width: 1\n  width: 2\n`,
    };
    for (const [form, line] of [
      ['json', 4],
      ['yaml', 6],
    ] as const) {
      const problem = `line ${line}: key "width" already set in map`;
      const {message} = assertFailure(t, await apply(client, item, 'one', texts[form], '&fieldValidation=Strict'), 400, 'BadRequest');
      t.is(message, `error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  ${problem}`);
      assertFailure(t, await client.get(item), 404, 'NotFound');
      for (const [level, warnings] of [
        ['Warn', [problem]],
        ['', [problem]],
        ['Ignore', []],
      ] as const) {
        const response = await apply(client, item, 'one', texts[form], `&fieldValidation=${level}`);
        t.is(answer<OwnedObject & {spec: {width: number}}>(t, response, level === 'Warn' ? 201 : 200).spec.width, 2);
        t.deepEqual(warningsOf(response), [...warnings]);
      }
      answer(t, await client.delete(item), 200);
    }
  },
);

eachStore('a configuration with a field that the schema lacks is refused, whatever the field validation', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/one`;
  const config = shelf('one', {width: 1, widht: 2, books: [{title: 't', shelf: 1}]});
  const refused = async (to: string, body: object, query: string, ...fields: string[]) => {
    const {message} = assertFailure(t, await apply(client, to, 'one', body, query), 400, 'BadRequest');
    t.regex(message, /^failed to create typed patch object \([^)]*Kind=\w+\): /);
    for (const field of fields) t.true(message.includes(`${field}: field not declared in schema`), message);
  };
  for (const level of ['Ignore', 'Warn', 'Strict']) {
    const query = `&fieldValidation=${level}`;
    await refused(item, config, query, '.spec.widht', '.spec.books[edition=1,title="t"].shelf');
    await refused(`${path('configmaps')}/one`, {...configMap('one'), datum: {}}, query, '.datum');
    await refused(`${path('configmaps')}/one`, {...configMap('one'), metadata: {name: 'one', lables: {}}}, query, '.metadata.lables');
    await refused(`${path('configmaps')}/one`, {...configMap('one'), datum: null}, query, '.datum');
  }
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', shelf('one', {width: 1})), 201);
  await refused(item, config, '', '.spec.widht');
  t.deepEqual(await stored(t, client, item), made);
});

eachStore('a dry run applies everything but the commit, conflicts included', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const dry = answer<OwnedObject>(t, await apply(client, item, 'one', configMap('one', {a: '1'}), '&dryRun=All'), 201);
  t.deepEqual(ownersOf(dry), {one: ['.data.a']});
  assertFailure(t, await client.get(item), 404, 'NotFound');
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', configMap('one', {a: '1'})), 201);
  assertFailure(t, await apply(client, item, 'two', configMap('one', {a: '2'}), '&dryRun=All'), 409, 'Conflict');
  const forced = answer<OwnedObject>(t, await apply(client, item, 'two', configMap('one', {a: '2'}), '&dryRun=All&force=true'), 200);
  t.deepEqual(forced.data, {a: '2'});
  t.deepEqual(await stored(t, client, item), made);
});

eachStore('a configuration cannot change the uid; resourceVersion in it is a precondition', async (t, {client, path}) => {
  const item = `${path('configmaps')}/one`;
  const config = (metadata: object, data = {a: '1'}) => ({...configMap('one', data), metadata: {name: 'one', ...metadata}});
  assertFailure(t, await apply(client, item, 'one', config({uid: '7b0e8f5e-0000-4000-8000-000000000000'})), 409, 'Conflict');
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', config({})), 201);
  const {uid, resourceVersion} = made.metadata;
  assertFailure(t, await apply(client, item, 'one', config({uid: 'other'}, {a: '2'})), 422, 'Invalid', /metadata\.uid: .*immutable/);
  assertFailure(
    t,
    await apply(client, item, 'one', config({resourceVersion: String(Number(resourceVersion) + 1)}, {a: '2'})),
    409,
    'Conflict',
    /has been modified/,
  );
  t.deepEqual(await stored(t, client, item), made);
  const changed = answer<OwnedObject>(t, await apply(client, item, 'one', config({uid, resourceVersion}, {a: '2'})), 200);
  t.deepEqual(changed.data, {a: '2'});
  assertFailure(t, await apply(client, item, 'one', config({resourceVersion}, {a: '3'})), 409, 'Conflict');
});

eachStore('appliers that write at the same time all get what they asked for', async (t, {client, path}) => {
  const item = `${path('configmaps')}/busy`;
  const managers = Array.from({length: 12}, (_, index) => `manager-${index}`);
  const answers = await Promise.all(managers.map((manager) => apply(client, item, manager, configMap('busy', {[manager]: manager}))));
  t.is(answers.filter(({status}) => status === 201).length, 1);
  t.is(answers.filter(({status}) => status === 200).length, 11);
  const {data, ...object} = await stored(t, client, item);
  t.deepEqual(Object.keys(data!).sort(), [...managers].sort());
  t.deepEqual(ownersOf(object), Object.fromEntries(managers.map((manager) => [manager, [`.data.${manager}`]]).sort()));
});

eachStore('admission and validation judge an applied object as any other', async (t, {client}) => {
  const body = gadget({}, {annotations: {'test/mark': 'x'}});
  const item = `${gadgets}/${body.metadata.name}`;
  const made = answer<OwnedObject>(t, await apply(client, item, 'one', body), 201);
  t.is(made.metadata.annotations?.['test/mark'], 'CREATE');
  t.is(made.metadata.generation, 1);
  const changed = answer<OwnedObject>(t, await apply(client, item, 'one', {...body, spec: {text: 'other'}}), 200);
  t.is(changed.metadata.annotations?.['test/mark'], 'UPDATE');
  t.is(changed.metadata.generation, 2);
  assertFailure(t, await apply(client, item, 'one', {...body, spec: {text: 'x'.repeat(21)}}), 422, 'Invalid', /spec\.text/);
  assertFailure(t, await apply(client, item, 'one', {...body, spec: {}}), 422, 'Invalid', /spec\.text: Required value/);
  assertFailure(
    t,
    await apply(client, item, 'one', {...body, metadata: {...body.metadata, annotations: {'test/refuse': 'UPDATE'}}}),
    403,
    'Forbidden',
  );
});

eachStore('integers beyond 2^53 survive an apply', async (t, {client, path}) => {
  const item = `${path('shelves', shelvesVersion)}/big`;
  const config = (more: string) =>
    `{"apiVersion":"${shelvesVersion}","kind":"Shelf","metadata":{"name":"big"},"spec":{"big":9007199254740993${more}}}`;
  const made = await apply(client, item, 'one', config(''));
  t.is(made.status, 201);
  t.regex(made.body.toString(), /"big":9007199254740993[,}]/);
  const again = await apply(client, item, 'two', config(',"width":1'));
  t.is(again.status, 200, again.body.toString());
  t.regex(again.body.toString(), /"big":9007199254740993[,}]/);
  t.is((await apply(client, item, 'three', config('').replace('993', '992'))).status, 409);
});
