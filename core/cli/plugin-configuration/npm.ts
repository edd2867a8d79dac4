import {spawn} from 'node:child_process';
import {UsageError} from '../usage-error.js';

/** A registry that answers slowly is waited for, one that never does is not. */
const limitMillis = 5 * 60 * 1000;

/** No package scripts run, and peers are not installed: the server gives plugins the sdk. Other packages of the folder stay, including its devDependencies. */
const common = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--legacy-peer-deps'];

/**
 * Runs npm in a folder. Resolves with its output.
 *
 * @param signal ends it
 * @throws UsageError with npm's own words if it fails or is not there
 */
export async function npm(args: readonly string[], folder: string, signal?: AbortSignal): Promise<string> {
  const child = spawn('npm', [...args, ...common, '--prefix', folder], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: limitMillis,
    signal,
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  }).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new UsageError('npm is not there, which packages and tarballs need; unpack the plugin and add its folder instead');
    throw error;
  });
  if (code === 0) return out;
  const lines = err.split('\n').filter((line) => /^npm (error|ERR!) (?!A complete log|code )/.test(line));
  const reason = lines.map((line) => line.replace(/^npm (error|ERR!) /, '').trim()).filter((line) => line !== '');
  throw new UsageError(
    `npm ${args[0]} failed: ${reason.slice(0, 3).join('; ') || err.trim() || (code === null ? 'it took too long' : `exit code ${code}`)}`,
  );
}

/** The name under which npm installs a package, without installing it. @throws UsageError */
export async function packageName(spec: string, folder: string, signal?: AbortSignal): Promise<string> {
  const [packed] = JSON.parse(await npm(['pack', spec, '--dry-run', '--json'], folder, signal)) as {name: string}[];
  return packed!.name;
}
