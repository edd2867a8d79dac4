import {readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {KERNEL_PACKAGE} from '../kernel-version.js';

/** The members of a plugin's package.json that concern the kernel. */
export interface PackageJson {
  readonly file: string;
  readonly name?: string;
  readonly version?: string;
  /** Its range of this package in `peerDependencies`. */
  readonly peerRange?: string;
}

/** The package.json of the package that a folder belongs to; undefined if there is none or it cannot be read. */
export function packageJsonOf(folder: string): PackageJson | undefined {
  for (let at = folder; basename(at) !== 'node_modules'; at = dirname(at)) {
    const file = join(at, 'package.json');
    let text;
    try {
      text = readFileSync(file, 'utf8');
    } catch {
      if (dirname(at) === at) return undefined;
      continue;
    }
    return read(file, text);
  }
  return undefined;
}

function read(file: string, text: string): PackageJson | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // npm and Node.js report it; a plugin with a manifest does not need it.
    return undefined;
  }
  const {name, version, peerDependencies} = (value ?? {}) as {name?: unknown; version?: unknown; peerDependencies?: unknown};
  const peer = ((peerDependencies ?? {}) as Readonly<Record<string, unknown>>)[KERNEL_PACKAGE];
  return {
    file,
    ...(typeof name === 'string' && {name}),
    ...(typeof version === 'string' && {version}),
    ...(typeof peer === 'string' && {peerRange: peer}),
  };
}
