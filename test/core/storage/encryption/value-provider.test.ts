import test from 'ava';
import fc from 'fast-check';
import {randomBytes} from 'node:crypto';
import {xsalsa20poly1305} from '@noble/ciphers/salsa.js';
import {StorageError} from '../../../../core/storage/storage-error.js';
import {ValueEncryption, type TypeEncryption} from '../../../../core/storage/encryption/value-encryption.js';
import {
  identity,
  keyLengths,
  keyProvider,
  type CipherName,
  type ValueProvider,
} from '../../../../core/storage/encryption/value-provider.js';

const ciphers: readonly CipherName[] = ['aescbc', 'aesgcm', 'secretbox'];
const plain = Buffer.from('{"kind":"Secret","data":{"password":"aHVudGVyMg=="}}');

function secrets(...providers: ValueProvider[]): TypeEncryption {
  return new ValueEncryption({providersOf: (type) => (type === 'secrets' ? providers : undefined)}).forType('secrets');
}

/** Why stored bytes cannot be read. */
function reasonOf(encryption: TypeEncryption, key: string, stored: Buffer): string {
  try {
    encryption.open(key, stored);
    return 'readable';
  } catch (error) {
    if (!(error instanceof StorageError) || error.failure.code !== 'Unreadable') throw error;
    return `${error.failure.name}: ${error.failure.reason}`;
  }
}

const notAuthentic = 'message authentication failed: another key, another object, or changed data';

for (const name of ciphers) {
  for (const length of keyLengths[name]) {
    test(`${name} with ${length} bytes gives back any value, and never the same bytes twice`, async (t) => {
      const encryption = secrets(await keyProvider(name, 'key1', randomBytes(length)));
      fc.assert(
        fc.property(fc.uint8Array({maxLength: 300}), fc.string(), (bytes, key) => {
          const value = Buffer.from(bytes);
          const {stored, form} = encryption.seal(key, value);
          const again = encryption.seal(key, value).stored;
          return encryption.open(key, stored).value.equals(value) && encryption.writes(form) && !again.equals(stored);
        }),
      );
      t.pass();
    });
  }

  test(`${name}: a value that was changed anywhere, cut or moved to another object cannot be read`, async (t) => {
    const encryption = secrets(await keyProvider(name, 'key1', randomBytes(32)));
    const {stored} = encryption.seal('default/token', plain);
    t.is(stored.subarray(0, 9 + name.length + 9).toString(), `orch:enc:${name}:v1:key1:`);
    t.false(stored.includes('hunter2') || stored.includes('aHVudGVyMg') || stored.includes('Secret'));
    t.is(reasonOf(encryption, 'default/token', stored), 'readable');
    t.is(reasonOf(encryption, 'default/other', stored), `secrets/default/other: ${notAuthentic}`);
    const head = stored.indexOf(':key1:') + 6;
    for (let at = head; at < stored.length; at++) {
      const changed = Buffer.from(stored);
      changed[at]! ^= 1;
      t.is(reasonOf(encryption, 'default/token', changed), `secrets/default/token: ${notAuthentic}`, `byte ${at}`);
    }
    for (let length = head; length < stored.length; length++) {
      t.is(reasonOf(encryption, 'default/token', stored.subarray(0, length)), `secrets/default/token: ${notAuthentic}`, `${length} bytes`);
    }
  });

  test(`${name}: of several keys the first one writes and all of them read; a value by another key is stale`, async (t) => {
    const [first, second] = [await keyProvider(name, 'key1', randomBytes(32)), await keyProvider(name, 'key2', randomBytes(32))];
    const before = secrets(first);
    const {stored} = before.seal('default/token', plain);
    const rotated = secrets(second, first);
    const {value, form} = rotated.open('default/token', stored);
    t.deepEqual(value, plain);
    t.false(rotated.writes(form));
    const anew = rotated.seal('default/token', value);
    t.true(rotated.writes(anew.form));
    t.true(anew.stored.toString('latin1').startsWith(`orch:enc:${name}:v1:key2:`));
    const system = name === 'secretbox' ? 'Secretbox' : 'AES';
    t.is(
      reasonOf(secrets(first), 'default/token', anew.stored),
      `secrets/default/token: no matching key was found for the provided ${system} transformer`,
    );
    const impostor = await keyProvider(name, 'key2', randomBytes(32));
    t.is(reasonOf(secrets(impostor), 'default/token', anew.stored), `secrets/default/token: ${notAuthentic}`);
    t.false(secrets(impostor).writes(anew.form), 'a key of the same name with other bytes is another key');
  });
}

test('a secretbox is one of NaCl: key, nonce and box of its documentation fit', (t) => {
  // The vector of NaCl's tests/secretbox.c.
  const key = Buffer.from('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389', 'hex');
  const nonce = Buffer.from('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37', 'hex');
  const message = Buffer.from(
    'be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f937763848645e0705',
    'hex',
  );
  t.is(Buffer.from(xsalsa20poly1305(key, nonce).encrypt(message)).subarray(0, 16).toString('hex'), 'f3ffc7703f9400e52a7dfb4b3d3305d9');
});

test('plain text is read only where identity is among the providers, and is stale unless that is the first', async (t) => {
  const key = await keyProvider('aesgcm', 'key1', randomBytes(32));
  const value = Buffer.from([2, 0, 0, 0]);
  t.is(reasonOf(secrets(key), 'a/b', value), 'secrets/a/b: no matching prefix found');
  const both = secrets(key, identity);
  t.is(both.open('a/b', value).value, value);
  t.false(both.writes(both.open('a/b', value).form));
  const back = secrets(identity, key);
  t.true(back.writes(back.open('a/b', value).form));
  t.false(back.writes(back.open('a/b', both.seal('a/b', value).stored).form));
  t.is(back.seal('a/b', value).stored, value);
});

test('encrypted values of a type that nothing is said of, or of another cipher, give the reasons of Kubernetes', async (t) => {
  const gcm = await keyProvider('aesgcm', 'key1', randomBytes(32));
  const box = await keyProvider('secretbox', 'key1', randomBytes(32));
  const {stored} = secrets(gcm).seal('a/b', plain);
  const unconfigured = new ValueEncryption({providersOf: () => undefined}).forType('secrets');
  t.is(reasonOf(unconfigured, 'a/b', stored), 'secrets/a/b: identity transformer tried to read encrypted data');
  t.is(reasonOf(secrets(box, identity), 'a/b', stored), 'secrets/a/b: identity transformer tried to read encrypted data');
  t.is(reasonOf(secrets(box), 'a/b', stored), 'secrets/a/b: no matching prefix found');
});

test('names of keys may have any characters', async (t) => {
  const names = ['a', 'a:b', 'a:b:', 'ä%3A', ':'];
  const providers = await Promise.all(names.map((name) => keyProvider('aesgcm', name, randomBytes(32))));
  const all = secrets(...providers);
  for (const provider of providers) {
    const {stored} = secrets(provider).seal('a/b', plain);
    t.deepEqual(all.open('a/b', stored), {value: plain, form: provider.form});
    for (const other of providers) if (other !== provider) t.not(reasonOf(secrets(other), 'a/b', stored), 'readable');
  }
});
