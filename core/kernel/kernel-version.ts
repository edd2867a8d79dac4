import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {packageRoot} from './package-root.js';

const own = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {name: string; version: string};

/** The version of the package. A manifest's `kernel` range and the range of a package's peer dependency are compared with it. */
export const KERNEL_VERSION: string = own.version;

/** The name of the package, as dependencies on it have it. */
export const KERNEL_PACKAGE: string = own.name;
