// One file out of an archive that is in memory, without programs that a bare machine lacks.
import {gunzipSync, inflateRawSync} from 'node:zlib';

/** @throws Error when a gzipped tar archive, as npm makes them, has no such file */
export function entryOfTar(bytes, name) {
  const archive = gunzipSync(bytes);
  for (let at = 0; at + 512 <= archive.length;) {
    const text = (from, length) => archive.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '');
    const size = Number.parseInt(text(124, 12), 8) || 0;
    const path = text(345, 155) === '' ? text(0, 100) : `${text(345, 155)}/${text(0, 100)}`;
    if (path === name) return archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the archive has no ${name}`);
}

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
