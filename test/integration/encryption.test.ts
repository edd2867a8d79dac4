import test, {type ExecutionContext} from 'ava';
import {randomBytes} from 'node:crypto';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer, type ServerOptions, type TestServer} from '@orch-api/orch/testing';
import {RecordingLogger} from '../core/storage/support.js';
import {EncryptionConfigurationFile, plainText, provider} from '../helpers/encryption-configuration.js';
import {eventually} from '../helpers/eventually.js';
import {startRedis, type RedisServer} from '../helpers/redis-server.js';
import {tempFolder} from '../helpers/temp-folder.js';

interface Item {
  metadata: {name: string; namespace: string; resourceVersion: string};
  data?: Record<string, string>;
}

const secretsPath = '/api/v1/namespaces/default/secrets';
const word = () => `plain-${randomBytes(12).toString('hex')}`;
const secret = (name: string, text: string, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {name, namespace, annotations: {note: text}},
  stringData: {text},
});
const textOf = ({data}: Item) => Buffer.from(data!.text!, 'base64').toString();

async function start(t: ExecutionContext, options: ServerOptions): Promise<TestServer> {
  const server = await startTestServer({platform: 'kubernetes', ...options});
  let stopped: Promise<void> | undefined;
  const stop = () => (stopped ??= server.stop());
  t.teardown(stop);
  return {...server, client: server.client, stop};
}

async function create(server: TestServer, object: ReturnType<typeof secret>): Promise<Item> {
  const made = await server.client.post(`/api/v1/namespaces/${object.metadata.namespace}/secrets`, object);
  if (made.status !== 201) throw new Error(made.body.toString());
  return made.json<Item>();
}

/** What kubectl's `get … | replace -f -` does. */
async function writeBack(server: TestServer, path = secretsPath): Promise<Item> {
  const {apiVersion, kind, items} = (await server.client.get(path)).json<{apiVersion: string; kind: string; items: Item[]}>();
  let last: Item | undefined;
  for (const item of items) {
    const put = await server.client.put(`${path}/${item.metadata.name}`, {apiVersion, kind: kind.replace(/List$/, ''), ...item});
    if (put.status !== 200) throw new Error(put.body.toString());
    last = put.json<Item>();
  }
  return last!;
}

/** All bytes of the files below a folder. */
function bytesBelow(folder: string): Buffer {
  const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => join(folder, name));
  return Buffer.concat(files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path)));
}

/** All that a Redis has: every command that its append-only file has ever got, and every key with its content. */
async function bytesOf(redis: RedisServer): Promise<Buffer> {
  const client = redis.client();
  const [, folder] = (await client.config('GET', 'dir')) as [string, string];
  const parts: Buffer[] = [bytesBelow(join(folder, 'appendonlydir'))];
  for (const key of await client.keys('*')) {
    const type = await client.type(key);
    parts.push(Buffer.from(key));
    if (type === 'hash') parts.push(...Object.values(await client.hgetallBuffer(key)));
    else if (type === 'stream') for (const [, fields] of await client.xrangeBuffer(key, '-', '+')) parts.push(...fields);
    else if (type === 'string') parts.push((await client.getBuffer(key))!);
    else throw new Error(`a key of the type ${type}`);
  }
  return Buffer.concat(parts);
}

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {name: 'vaults.example.com'},
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: {plural: 'vaults', kind: 'Vault'},
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {openAPIV3Schema: {type: 'object', properties: {spec: {type: 'object', properties: {text: {type: 'string'}}}}}},
      },
    ],
  },
};

/** A store that keeps what it has when servers come and go. */
interface Place {
  readonly options: () => ServerOptions;
  readonly bytes: () => Promise<Buffer>;
}

const places: Readonly<Record<string, (t: ExecutionContext) => Promise<Place>>> = {
  async embedded(t) {
    const dataDir = tempFolder(t);
    return {options: () => ({store: 'embedded', dataDir}), bytes: async () => bytesBelow(join(dataDir, 'store'))};
  },
  async redis(t) {
    const redis = await startRedis(t, {appendonly: true});
    return {options: () => ({store: redis.url}), bytes: () => bytesOf(redis)};
  },
};

for (const [name, place] of Object.entries(places)) {
  test.serial(`no byte of what is configured reaches the store in plain text, be it state, log or previous value (${name})`, async (t) => {
    const {options, bytes} = await place(t);
    const file = new EncryptionConfigurationFile(t, ['secrets', 'vaults.example.com'], provider('aesgcm', 'key1'));
    const first = await start(t, {...options(), encryptionProviderConfig: file.path});
    const words = Array.from({length: 5}, word);
    const [created, updated, deleted, custom, open] = words as [string, string, string, string, string];
    await create(first, secret('one', created));
    t.is(
      (await first.client.patch(`${secretsPath}/one`, {metadata: {annotations: {note: updated}}, stringData: {text: updated}})).status,
      200,
    );
    await create(first, secret('two', deleted));
    t.is((await first.client.delete(`${secretsPath}/two`)).status, 200);
    t.is((await first.client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status, 201);
    const vaults = '/apis/example.com/v1/namespaces/default/vaults';
    const vault = {apiVersion: 'example.com/v1', kind: 'Vault', metadata: {name: 'v'}, spec: {text: custom}};
    await eventually(
      () => first.client.post(vaults, vault),
      ({status}) => status === 201,
    );
    t.is((await first.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'open'}, data: {open}})).status, 201);

    const found = await bytes();
    t.true(found.includes(open), 'what is not configured is in plain text: the search finds what there is');
    for (const text of [created, updated, deleted, custom]) {
      t.false(found.includes(text), text);
      t.false(found.includes(Buffer.from(text).toString('base64')), text);
    }
    t.true(found.includes('orch:enc:aesgcm:v1:key1:'));

    await first.stop();
    const second = await start(t, {...options(), encryptionProviderConfig: file.path});
    t.is(textOf((await second.client.get(`${secretsPath}/one`)).json<Item>()), updated, 'after a restart');
    t.is((await second.client.get(`${vaults}/v`)).json<{spec: {text: string}}>().spec.text, custom);
    t.is((await second.client.get(`${secretsPath}/two`)).status, 404);
  });
}

test.serial(
  'keys are rotated by three configurations, one server after the other, while both serve; then the old key is gone',
  async (t) => {
    const redis = await startRedis(t, {appendonly: true});
    const [a, b] = [1, 2].map(() => new EncryptionConfigurationFile(t, ['secrets'], provider('aescbc', 'key1'))) as [
      EncryptionConfigurationFile,
      EncryptionConfigurationFile,
    ];
    let servers = await Promise.all([a, b].map((file) => start(t, {store: redis.url, encryptionProviderConfig: file.path})));
    const texts = Array.from({length: 3}, word);
    for (const [index, text] of texts.entries()) await create(servers[index % 2]!, secret(`s${index}`, text));

    const readAll = async () => {
      for (const server of servers) {
        const {items} = (await server.client.get(secretsPath)).json<{items: Item[]}>();
        t.deepEqual(items.map(textOf), texts);
      }
    };
    /** Both servers get a configuration; in between they differ. */
    const roll = async (...providers: Parameters<typeof provider>[1][]) => {
      for (const index of [0, 1]) {
        const file = [a, b][index]!;
        file.write(['secrets'], provider('aescbc', ...providers));
        await servers[index]!.stop();
        servers = servers.with(index, await start(t, {store: redis.url, encryptionProviderConfig: file.path}));
        await readAll();
        const version = (await writeBack(servers[index]!)).metadata.resourceVersion;
        t.is((await writeBack(servers[index]!)).metadata.resourceVersion, version, 'a second time nothing is written');
        await readAll();
      }
    };
    const before = (await servers[0]!.client.get(`${secretsPath}/s0`)).json<Item>().metadata.resourceVersion;
    await roll('key1', 'key2');
    t.is((await servers[0]!.client.get(`${secretsPath}/s0`)).json<Item>().metadata.resourceVersion, before, 'the first key writes still');
    await roll('key2', 'key1');
    t.not((await servers[0]!.client.get(`${secretsPath}/s0`)).json<Item>().metadata.resourceVersion, before);
    await roll('key2');
    await readAll();
  },
);

test.serial('what was stored in plain text is encrypted by writing it back, and decrypted in the same way', async (t) => {
  const dataDir = tempFolder(t);
  const at = async (...providers: Parameters<EncryptionConfigurationFile['write']>[1][]) => {
    const file = providers.length === 0 ? undefined : new EncryptionConfigurationFile(t, ['*.*'], ...providers);
    return start(t, {store: 'embedded', dataDir, ...(file ? {encryptionProviderConfig: file.path} : {})});
  };
  const text = word();
  let server = await at();
  const version = async (work: Promise<Item>) => Number((await work).metadata.resourceVersion);
  const plain = await version(create(server, secret('one', text)));
  await server.stop();

  server = await at(provider('secretbox', 'key1'), plainText);
  const encrypted = await version(writeBack(server));
  t.true(encrypted > plain);
  t.is(await version(writeBack(server)), encrypted, 'a second time nothing is written');
  await server.stop();

  server = await at(plainText, provider('secretbox', 'key1'));
  t.is(textOf((await server.client.get(`${secretsPath}/one`)).json<Item>()), text);
  t.true((await version(writeBack(server))) > encrypted);
  await writeBack(server, '/apis/networking.k8s.io/v1/servicecidrs');
  for (const path of ['namespaces', 'serviceaccounts', 'configmaps']) t.is((await server.client.get(`/api/v1/${path}`)).status, 200);
  await server.stop();

  server = await at();
  t.is(textOf((await server.client.get(`${secretsPath}/one`)).json<Item>()), text);
});

test.serial('an object whose key is gone answers 500 with its reason; the server, other objects and other namespaces go on', async (t) => {
  const dataDir = tempFolder(t);
  const file = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key1'));
  const options = {store: 'embedded', dataDir, encryptionProviderConfig: file.path};
  const before = await start(t, options);
  t.is((await before.client.post('/api/v1/namespaces', {metadata: {name: 'other'}})).status, 201);
  await create(before, secret('lost', word()));
  await before.stop();

  file.write(['secrets'], provider('aesgcm', 'key2'));
  const logger = new RecordingLogger();
  const server = await start(t, {...options, encryptionProviderConfigAutomaticReload: true, logger});
  const {client} = server;
  await create(server, secret('good', 'text'));
  await create(server, secret('good', 'text', 'other'));
  const message =
    'Internal error occurred: unable to transform key "secrets/default/lost": no matching key was found for the provided AES transformer';
  const lost = `${secretsPath}/lost`;
  const answers = [
    await client.get(lost),
    await client.get(lost, {headers: {accept: 'application/vnd.kubernetes.protobuf,application/json'}}),
    await client.get(secretsPath),
    await client.get(`${secretsPath}?labelSelector=a%3Db`),
    await client.get(`${secretsPath}?fieldSelector=metadata.name%3Dlost`),
    await client.get('/api/v1/secrets?limit=500'),
    await client.get(`${secretsPath}?watch=1`),
    await client.put(lost, {...secret('lost', 'x')}),
    await client.patch(lost, {stringData: {text: 'x'}}),
    await client.delete(lost),
    await client.delete(secretsPath),
  ];
  for (const [index, {status, body}] of answers.entries()) {
    t.is(status, 500, `${index}: ${body.toString()}`);
    if (index === 1) t.true(body.includes(message));
    else t.like(JSON.parse(body.toString()) as object, {kind: 'Status', reason: 'InternalError', message}, String(index));
  }
  t.is((await client.post(secretsPath, secret('lost', 'x'))).status, 409);
  t.is((await client.get(`${secretsPath}/good`)).status, 200);
  t.is((await client.get(`${secretsPath}?fieldSelector=metadata.name%3Dgood`)).status, 200);
  t.is((await client.get('/api/v1/namespaces/other/secrets')).json<{items: Item[]}>().items.length, 1);
  t.is((await client.get('/readyz')).status, 200);
  t.like(
    logger.records.find(({message: text}) => text === 'an object in the store cannot be read'),
    {level: 'error', fields: {type: 'secrets', key: 'default/lost', reason: 'no matching key was found for the provided AES transformer'}},
  );

  // The key comes back while the server runs.
  file.write(['secrets'], provider('aesgcm', 'key2', 'key1'));
  await eventually(
    () => client.get(lost),
    ({status}) => status === 200,
  );
  t.is((await client.get(secretsPath)).status, 200);
});

test.serial('a server that cannot read a definition does not start, and says which', async (t) => {
  const dataDir = tempFolder(t);
  const file = new EncryptionConfigurationFile(t, ['customresourcedefinitions.apiextensions.k8s.io'], provider('aesgcm', 'key1'));
  const options = {store: 'embedded', dataDir, encryptionProviderConfig: file.path};
  const before = await start(t, options);
  t.is((await before.client.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition)).status, 201);
  await before.stop();
  file.write(['customresourcedefinitions.apiextensions.k8s.io'], provider('aesgcm', 'key2'));
  await t.throwsAsync(startTestServer({platform: 'kubernetes', ...options}), {
    message:
      /Internal error occurred: unable to transform key "customresourcedefinitions\.apiextensions\.k8s\.io\/vaults\.example\.com": no matching key was found for the provided AES transformer$/,
  });
});

test.serial('a value that was put in the place of another cannot be read', async (t) => {
  const redis = await startRedis(t, {appendonly: true});
  const file = new EncryptionConfigurationFile(t, ['secrets'], provider('secretbox', 'key1'));
  const options = {store: redis.url, encryptionProviderConfig: file.path};
  const before = await start(t, options);
  await create(before, secret('one', word()));
  await create(before, secret('two', word()));
  await before.stop();
  const client = redis.client();
  let moved = 0;
  for (const key of await client.keys('*')) {
    if ((await client.type(key)) !== 'hash') continue;
    const two = await client.hget(key, 'default/two');
    if (two === null || !(await client.hexists(key, 'default/one'))) continue;
    // Records are revisions, under which the values are kept.
    await client.hset(key, 'default/one', two);
    moved += 1;
  }
  t.is(moved, 1);
  const server = await start(t, options);
  const answer = await server.client.get(`${secretsPath}/one`);
  t.is(answer.status, 500);
  t.regex(answer.json<{message: string}>().message, /"secrets\/default\/one": message authentication failed/);
  t.is((await server.client.get(`${secretsPath}/two`)).status, 200);
});

test.serial('a watcher is told of a change that its server cannot read, and others go on; the log is followed further', async (t) => {
  const redis = await startRedis(t);
  const own = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key1'));
  const foreign = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key2', 'key1'));
  const reader = await start(t, {store: redis.url, encryptionProviderConfig: own.path});
  const writer = await start(t, {store: redis.url, encryptionProviderConfig: foreign.path});
  t.is((await writer.client.post('/api/v1/namespaces', {metadata: {name: 'other'}})).status, 201);
  const {resourceVersion} = (await reader.client.get(secretsPath)).json<{metadata: {resourceVersion: string}}>().metadata;
  const abort = new AbortController();
  t.teardown(() => abort.abort());
  const watch = (namespace: string) =>
    reader.client
      .watch(`/api/v1/namespaces/${namespace}/secrets?watch=1&resourceVersion=${resourceVersion}`, {signal: abort.signal})
      [Symbol.asyncIterator]();
  const here = watch('default');
  const there = watch('other');
  const configMaps = reader.client.watch('/api/v1/namespaces/default/configmaps?watch=1', {signal: abort.signal})[Symbol.asyncIterator]();
  const next = [here.next(), there.next()];
  await create(writer, secret('foreign', word()));
  const told = await next[0]!;
  t.like(told.value, {
    type: 'ERROR',
    object: {
      kind: 'Status',
      code: 500,
      message:
        'Internal error occurred: unable to transform key "secrets/default/foreign": no matching key was found for the provided AES transformer',
    },
  });
  t.true((await here.next()).done);
  await create(reader, secret('own', word(), 'other'));
  t.like((await next[1]!).value, {type: 'ADDED', object: {metadata: {name: 'own'}}});
  t.is((await writer.client.post('/api/v1/namespaces/default/configmaps', {metadata: {name: 'after'}})).status, 201);
  for (;;) {
    const {value} = await configMaps.next();
    if ((value as {object: Item}).object.metadata.name === 'after') break;
  }
  t.is((await reader.client.get('/readyz')).status, 200);
});

test.serial('a changed configuration takes effect without a restart; one with faults leaves the former in force', async (t) => {
  const dataDir = tempFolder(t);
  const file = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key1'));
  const logger = new RecordingLogger();
  const server = await start(t, {
    store: 'embedded',
    dataDir,
    encryptionProviderConfig: file.path,
    encryptionProviderConfigAutomaticReload: true,
    logger,
  });
  const made = await create(server, secret('one', word()));
  file.writeText('apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources: [{resources: [secrets]}]');
  await eventually(
    () => logger.records.filter(({message}) => message.startsWith('the changed encryption configuration cannot be used')),
    ({length}) => length > 0,
  );
  t.is((await writeBack(server)).metadata.resourceVersion, made.metadata.resourceVersion);
  file.write(['secrets'], provider('aesgcm', 'key2', 'key1'));
  await eventually(
    () => writeBack(server),
    ({metadata}) => metadata.resourceVersion !== made.metadata.resourceVersion,
  );
  t.true(bytesBelow(join(dataDir, 'store')).includes('orch:enc:aesgcm:v1:key2:'));
});

test.serial('resources of a type that is stored as another one are refused by the name of that one', async (t) => {
  const file = new EncryptionConfigurationFile(t, ['events.events.k8s.io'], provider('aesgcm', 'key1'));
  await t.throwsAsync(startTestServer({platform: 'kubernetes', encryptionProviderConfig: file.path}), {
    message: `the encryption configuration: events.events.k8s.io is stored as events: name that (${file.path})`,
  });
});
