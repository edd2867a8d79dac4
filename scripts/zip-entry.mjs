// One file out of a zip archive that is in memory: a bare machine has tar, but no unzip.
import {inflateRawSync} from 'node:zlib';

/** @throws Error when a zip archive has no such file, or has it in a form other than stored and deflated */
export function entryOfZip(archive, name) {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  const entries = end === -1 ? 0 : archive.readUInt16LE(end + 10);
  for (let at = entries && archive.readUInt32LE(end + 16), n = 0; n < entries; n++) {
    const method = archive.readUInt16LE(at + 10);
    const size = archive.readUInt32LE(at + 20);
    const nameLength = archive.readUInt16LE(at + 28);
    const local = archive.readUInt32LE(at + 42);
    if (archive.toString('utf8', at + 46, at + 46 + nameLength) === name) {
      const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
      const data = archive.subarray(from, from + size);
      if (method === 0) return data;
      if (method === 8) return inflateRawSync(data);
      throw new Error(`${name} is compressed by method ${method}`);
    }
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no ${name}`);
}
