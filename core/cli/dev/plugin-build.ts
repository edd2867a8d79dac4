import {spawn, type ChildProcess} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {delimiter, dirname, join} from 'node:path';
import process from 'node:process';

/** Maximum output of a build that is shown, in bytes. */
const longestText = 64 * 1024;

/** Builds a plugin with the script `build` of its package.json; one without, such as TypeScript that Node.js runs itself, needs none. */
export class PluginBuild {
  readonly #folder: string;
  #running: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Folders that the build writes to. */
  get outputs(): string[] {
    return this.#command === undefined ? [] : [this.#outDir];
  }

  /** Resolves with the errors of the build; undefined if it succeeded. */
  async run(): Promise<string | undefined> {
    const command = this.#command;
    if (command === undefined) return undefined;
    const paths = [...binFolders(this.#folder), process.env['PATH'] ?? ''];
    const child = spawn(command, {
      cwd: this.#folder,
      shell: true,
      env: {...process.env, PATH: paths.join(delimiter)},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#running = child;
    let text = '';
    const keep = (chunk: Buffer) => {
      if (text.length < longestText) text += chunk.toString();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    const code = await new Promise<number | null>((resolve) => {
      child.once('close', resolve);
      child.once('error', () => resolve(1));
    });
    this.#running = undefined;
    return code === 0 ? undefined : text.trimEnd() || `${command} failed`;
  }

  stop(): void {
    this.#running?.kill();
  }

  get #command(): string | undefined {
    try {
      const manifest = JSON.parse(readFileSync(join(this.#folder, 'package.json'), 'utf8')) as {scripts?: {build?: unknown}};
      return typeof manifest.scripts?.build === 'string' ? manifest.scripts.build : undefined;
    } catch {
      // There is none, or it is being written.
      return undefined;
    }
  }

  get #outDir(): string {
    try {
      return /"outDir"\s*:\s*"(?:\.\/)?([^"/]+)/.exec(readFileSync(join(this.#folder, 'tsconfig.json'), 'utf8'))?.[1] ?? 'dist';
    } catch {
      return 'dist';
    }
  }
}

/** Where installed commands are, as npm has it: in the folder and in those around it. */
function binFolders(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    const bin = join(at, 'node_modules/.bin');
    if (existsSync(bin)) found.push(bin);
    if (dirname(at) === at) return found;
  }
}
