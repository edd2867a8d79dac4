import {open} from 'node:fs/promises';
import {endianness} from 'node:os';

/* The first page of an LMDB file, in the byte order of the machine: a page header of 24 bytes, then the meta data. */
const flagsOffset = 18;
const metaFlag = 0x08;
const magicOffset = 24;
const magic = 0xbeefc0de;
const versionOffset = 28;
const version = 2;
const pageSizeOffset = 48;
const headLength = 52;
/** A file begins with two meta pages. */
const metaPages = 2;

/**
 * Whether LMDB can open a file: it does not exist, is empty, or begins like a file of LMDB. lmdb-js 3.5 crashes with a
 * segmentation fault on any other file.
 */
export async function looksLikeLmdb(file: string): Promise<boolean> {
  let handle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return true;
    throw error;
  }
  try {
    const {size} = await handle.stat();
    if (size === 0) return true;
    const head = new DataView(new ArrayBuffer(headLength));
    const {bytesRead} = await handle.read(head, 0, headLength, 0);
    const little = endianness() === 'LE';
    return (
      bytesRead === headLength &&
      (head.getUint16(flagsOffset, little) & metaFlag) !== 0 &&
      head.getUint32(magicOffset, little) === magic &&
      (head.getUint32(versionOffset, little) & 0xffff) === version &&
      size >= metaPages * head.getUint32(pageSizeOffset, little)
    );
  } finally {
    await handle.close();
  }
}
