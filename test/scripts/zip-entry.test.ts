import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {deflateRawSync} from 'node:zlib';
import test from 'ava';
import {projectRoot} from '../helpers/project-root.js';

const {entryOfZip} = (await import(pathToFileURL(join(projectRoot(), 'scripts/zip-entry.mjs')).href)) as {
  entryOfZip: (archive: Buffer, name: string) => Buffer;
};

/** A zip archive; checksums, which nobody reads here, are 0. */
function zip(entries: readonly {name: string; text: string; method: 0 | 8 | 12}[]): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const {name, text, method} of entries) {
    const data = method === 8 ? deflateRawSync(text) : Buffer.from(text);
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    // A part that is in the local header alone: the data begin behind it.
    local.writeUInt16LE(name.length, 26);
    local.writeUInt16LE(4, 28);
    locals.push(local, Buffer.from(`${name}more`), data);
    const header = Buffer.alloc(46);
    header.write('PK\x01\x02', 'latin1');
    header.writeUInt16LE(method, 10);
    header.writeUInt32LE(data.length, 20);
    header.writeUInt16LE(name.length, 28);
    header.writeUInt32LE(at, 42);
    central.push(header, Buffer.from(name));
    at += 30 + name.length + 4 + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, ...central, end]);
}

test('a file is taken out of a zip archive, stored or deflated', (t) => {
  const archive = zip([
    {name: 'one', text: 'first', method: 0},
    {name: 'folder/two', text: 'second '.repeat(100), method: 8},
    {name: 'three', text: 'third', method: 12},
  ]);
  t.is(entryOfZip(archive, 'one').toString(), 'first');
  t.is(entryOfZip(archive, 'folder/two').toString(), 'second '.repeat(100));
  t.throws(() => entryOfZip(archive, 'three'), {message: 'three is compressed by method 12'});
  t.throws(() => entryOfZip(archive, 'gone'), {message: 'the archive has no gone'});
});
