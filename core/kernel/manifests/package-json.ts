import {readFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import {KERNEL_PACKAGE} from '../kernel-version.js';

/** What the package.json of a plugin says that concerns the kernel. */
export interface PackageJson {
  readonly file: string;
  readonly name?: string;
  readonly version?: string;
  /** What it says of this package under `peerDependencies`. */
  readonly peerRange?: string;
}

/** The nearest package.json of a folder and those around it, up to the package that the folder belongs to; undefined if there is none that can be read. */
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
    // npm and Node.js complain of it; a plugin with a manifest needs none.
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
