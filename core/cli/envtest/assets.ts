import {accessSync, constants} from 'node:fs';
import {mkdir, rename, rm, symlink, writeFile} from 'node:fs/promises';
import {homedir} from 'node:os';
import {delimiter, isAbsolute, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const commandLine = fileURLToPath(new URL('../main.js', import.meta.url));
const etcd = fileURLToPath(new URL('etcd-main.js', import.meta.url));

/** The names of the assets. */
export const assetNames: readonly [string, ...string[]] = ['kube-apiserver', 'etcd', 'kubectl'];

/** A line in each script: it is ours. */
export const writtenBy = '# Written by orch envtest.';

/** The default folder for assets. */
export function usualFolder(): string {
  const data = process.env['XDG_DATA_HOME'];
  return join(data !== undefined && isAbsolute(data) ? data : join(homedir(), '.local', 'share'), 'orch', 'envtest');
}

/**
 * Writes `kube-apiserver`, `etcd` and `kubectl` to a folder, which is created. They call this installation of Orch with this Node. Each file is
 * replaced atomically, so that suites may use the folder at the same time.
 *
 * @param release that the servers serve, as in `1.34`; their default when left out
 * @returns the absolute path of the machine's kubectl, undefined if it has none
 */
export async function writeAssets(folder: string, release?: string): Promise<string | undefined> {
  await mkdir(folder, {recursive: true});
  await writeScript(folder, 'kube-apiserver', [
    '--max-semi-space-size=4',
    commandLine,
    'serve',
    '--flags-of',
    'kube-apiserver',
    ...(release === undefined ? [] : [`--release=${release}`]),
  ]);
  await writeScript(folder, 'etcd', ['--max-semi-space-size=1', etcd]);
  const kubectl = findKubectl(folder);
  await put(folder, 'kubectl', (file) =>
    kubectl === undefined
      ? writeFile(file, "#!/bin/sh\necho 'kubectl: there is none on this machine; install it and run orch envtest again' >&2\nexit 1\n", {
          mode: 0o755,
        })
      : symlink(kubectl, file),
  );
  return kubectl;
}

/** Several of these servers run at once, each on small data: they take less memory from the system, and would not gain by more (docs/decisions/0027). */
function writeScript(folder: string, name: string, args: readonly string[]): Promise<void> {
  const [node, ...rest] = [process.execPath, ...args].map(quoted);
  const moved = quoted(`${name}: Orch is not where it was when these files were written; run orch envtest again`);
  const text = `#!/bin/sh\n${writtenBy}\nexport MALLOC_ARENA_MAX="\${MALLOC_ARENA_MAX:-1}" MALLOC_TRIM_THRESHOLD_="\${MALLOC_TRIM_THRESHOLD_:-131072}"\n[ -x ${node} ] || { echo ${moved} >&2; exit 1; }\nexec ${node} ${rest.join(' ')} "$@"\n`;
  return put(folder, name, (file) => writeFile(file, text, {mode: 0o755}));
}

async function put(folder: string, name: string, write: (file: string) => Promise<void>): Promise<void> {
  const file = join(folder, `.${name}.${process.pid}`);
  await rm(file, {force: true});
  try {
    await write(file);
    await rename(file, join(folder, name));
  } catch (error) {
    await rm(file, {force: true});
    throw error;
  }
}

function findKubectl(except: string): string | undefined {
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && resolve(folder) !== resolve(except));
  return folders.map((folder) => join(folder, 'kubectl')).find((file) => isExecutable(file));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** As a word of the shell. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
