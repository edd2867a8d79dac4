import test from 'ava';
import {randomBytes} from 'node:crypto';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {startTestServer, type TestServer} from '@orch-api/orch/testing';
import {EncryptionConfigurationFile, plainText, provider} from '../helpers/encryption-configuration.js';
import {runOrch} from '../helpers/orch-process.js';
import {tempFolder} from '../helpers/temp-folder.js';

interface Item {
  metadata: {name: string; resourceVersion: string; uid: string};
  data: Record<string, string>;
}

const secrets = '/api/v1/namespaces/default/secrets';
const maps = '/api/v1/namespaces/default/configmaps';
/** A small value shares its page with others; a large one has pages of its own, the last of which it does not fill. */
const sizes = [20, 3_000, 50_001];

/** A text that is found nowhere by chance, whole or in part. */
const marked = (bytes: number) => `plain-${randomBytes(12).toString('hex')}`.padEnd(bytes, '-');

async function items(server: TestServer): Promise<Item[]> {
  return (await server.client.get(secrets)).json<{items: Item[]}>().items;
}

test('plain text from before encryption is in no file of the embedded store after `orch store compact`', async (t) => {
  t.timeout(120_000);
  const dataDir = tempFolder(t);
  const use = async <T>(work: (server: TestServer) => Promise<T>, configuration?: EncryptionConfigurationFile) => {
    const encryption = configuration && {encryptionProviderConfig: configuration.path};
    const server = await startTestServer({platform: 'kubernetes', store: 'embedded', dataDir, ...encryption});
    try {
      return await work(server);
    } finally {
      await server.stop();
    }
  };
  const words = sizes.map(marked);
  await use(async ({client}) => {
    for (const [index, word] of words.entries()) {
      // Beside some others, which go first: the pages of an object are freed with it, and used again.
      for (const name of [`other-${index}`, `secret-${index}`]) {
        const made = await client.post(secrets, {
          metadata: {name},
          data: {word: Buffer.from(word).toString('base64')},
          stringData: {plain: word},
        });
        t.is(made.status, 201, made.body.toString());
      }
      t.is((await client.delete(`${secrets}/other-${index}`)).status, 200);
    }
  });
  const configuration = new EncryptionConfigurationFile(t, ['secrets'], provider('aesgcm', 'key'), plainText);
  const before = await use(async (server) => {
    for (let round = 0; round < 2; round++) {
      for (const item of await items(server)) {
        const put = await server.client.put(`${secrets}/${item.metadata.name}`, {
          ...item,
          metadata: {...item.metadata, annotations: {round: `${round}`}},
        });
        t.is(put.status, 200, put.body.toString());
      }
    }
    for (let number = 0; number < 30; number++) {
      const made = await server.client.post(maps, {metadata: {name: `map-${number}`}, data: {text: marked(20_000)}});
      t.is(made.status, 201, made.body.toString());
    }
    return items(server);
  }, configuration);
  const found = () => {
    const folder = join(dataDir, 'store');
    const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((name) => join(folder, name));
    const bytes = Buffer.concat(files.filter((path) => statSync(path).isFile()).map((path) => readFileSync(path)));
    const forms = words.flatMap((word) => [word.slice(0, 30), Buffer.from(word.slice(0, 30)).toString('base64').slice(0, 38)]);
    return forms.filter((form) => bytes.includes(form)).length;
  };
  t.true(found() > 0, 'the test looks for something that is there');

  const flags = ['--data-dir', dataDir, '--platform', 'kubernetes', '--encryption-provider-config', configuration.path];
  const compacted = await runOrch(['store', 'compact', ...flags], {timeoutMillis: 60_000});
  t.is(compacted.code, 0, compacted.stderr);
  t.regex(
    compacted.stdout,
    /^shard 0: history dropped up to revision \d+\nthe store is in a new file of [\d.]+ MiB; the one before had [\d.]+ MiB\n$/,
  );
  t.is(found(), 0);
  t.deepEqual(readdirSync(join(dataDir, 'store')).toSorted(), ['claim.mdb', 'claim.mdb-lock', 'data.mdb', 'lock.mdb']);
  for (const name of ['claim.mdb', 'claim.mdb-lock', 'data.mdb', 'lock.mdb'])
    t.is(statSync(join(dataDir, 'store', name)).mode & 0o777, 0o600, name);

  await use(async (server) => {
    t.deepEqual(await items(server), before, 'what was there is there, and can be read with the key');
    const made = await server.client.post(maps, {metadata: {name: 'behind'}});
    t.is(made.status, 201);
    const last = Math.max(...before.map(({metadata}) => Number(metadata.resourceVersion)));
    const next = Number(made.json<Item>().metadata.resourceVersion);
    t.true(next > last && next < last + 1000, `the history goes on: ${last}, then ${next}`);
  }, configuration);
});
