import {stat} from 'node:fs/promises';
import {errorDetail} from '../kernel/error-detail.js';

/** Changes with the file, also when it is replaced, as in mounted secrets. A file that cannot be read has an identity too. */
export async function fileIdentity(file: string): Promise<string> {
  try {
    const {mtimeMs, ctimeMs, size, ino} = await stat(file);
    return `${mtimeMs} ${ctimeMs} ${size} ${ino}`;
  } catch (error) {
    return errorDetail(error);
  }
}
