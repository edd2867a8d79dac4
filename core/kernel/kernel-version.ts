import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {packageRoot} from './package-root.js';

/** The version of the package. A manifest's `kernel` range is compared with it. */
export const KERNEL_VERSION: string = readVersion();

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {version: string};
  return manifest.version;
}
