import {createHash} from 'node:crypto';
import {mkdir, readdir, rm, stat, writeFile} from 'node:fs/promises';
import {join} from 'node:path';

/** Remembers which links were used, in files: of several processes of a server only one takes a link. */
export class UsedLinks {
  readonly #folder: string;
  readonly #lifetimeMillis: number;

  /**
   * @param folder for the files
   * @param lifetimeMillis for how long a link can be used; after that it need not be remembered
   */
  constructor(folder: string, lifetimeMillis: number) {
    this.#folder = folder;
    this.#lifetimeMillis = lifetimeMillis;
  }

  /** Whether it was not used before: it is from now on. */
  async take(link: string): Promise<boolean> {
    await mkdir(this.#folder, {recursive: true, mode: 0o700});
    await this.#forget();
    try {
      const name = createHash('sha256').update(link).digest('hex');
      await writeFile(join(this.#folder, name), '', {flag: 'wx', mode: 0o600});
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    }
  }

  /** Those that have expired by far: clocks of files and of the server may differ. */
  async #forget(): Promise<void> {
    const before = Date.now() - 10 * this.#lifetimeMillis;
    for (const name of await readdir(this.#folder)) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < before) await rm(path, {force: true});
    }
  }
}
