import {open, readdir, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {newestRelease, oldestRelease, servedReleases} from '../../options/resolve-release.js';
import {UsageError} from '../usage-error.js';
import {assetNames, writeAssets, writtenBy} from './assets.js';
import {compareVersions, type Version, type VersionSelector} from './version-selector.js';

/** The platform of this machine, as Go names it: `linux/amd64`. */
export const platform = `${process.platform === 'win32' ? 'windows' : process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`;

/**
 * Assets of several versions side by side, in the layout in which envtest (`BinaryAssetsDirectory`) and setup-envtest (`--bin-dir`) keep them:
 * `k8s/1.34.0-linux-amd64`. Folders that `orch envtest` did not write are left alone.
 */
export class AssetVersions {
  readonly #root: string;

  /** @param folder absolute; made when something is written */
  constructor(folder: string) {
    this.#root = join(folder, 'k8s');
  }

  folderOf(version: Version): string {
    return join(this.#root, `${version.join('.')}-${platform.replace('/', '-')}`);
  }

  /** Those that are here, newest first. */
  async installed(selector: VersionSelector): Promise<Version[]> {
    const pattern = new RegExp(`^(\\d{1,4})\\.(\\d{1,4})\\.(\\d{1,4})-${platform.replace('/', '-')}$`);
    const versions = (await namesIn(this.#root)).flatMap((name) => {
      const parts = pattern.exec(name)?.slice(1).map(Number);
      return parts ? [parts as unknown as Version] : [];
    });
    const ours: Version[] = [];
    for (const version of versions.filter((one) => selector.matches(one))) if (await isOurs(this.folderOf(version))) ours.push(version);
    return ours.sort((one, other) => compareVersions(other, one));
  }

  /**
   * Finds the version that is meant, and writes its assets unless only those that are here count.
   *
   * @throws UsageError when there is none
   */
  async use(selector: VersionSelector, installedOnly: boolean): Promise<{version: Version; kubectl: boolean}> {
    const here = await this.installed(selector);
    if (installedOnly || selector.onDisk) {
      if (here[0]) return {version: here[0], kubectl: true};
      throw new UsageError(
        `no such version is in ${this.#root}: orch envtest list shows what is, orch envtest use VERSION without -i writes it`,
      );
    }
    const version = selector.exact ?? newest(available(selector), here);
    if (!version || !servedReleases.includes(releaseOf(version)))
      throw new UsageError(`there is no such version: the releases are ${oldestRelease} to ${newestRelease}, with any patch`);
    const folder = this.folderOf(version);
    if ((await namesIn(folder)).includes(assetNames[0]) && !(await isOurs(folder)))
      throw new UsageError(`${folder} has a ${assetNames[0]} that orch envtest did not write, and keeps it: name another --bin-dir`);
    return {version, kubectl: (await writeAssets(folder, releaseOf(version))) !== undefined};
  }

  /** Takes away what `use` has written, and nothing else: a folder with other files in it stays. */
  async remove(version: Version): Promise<void> {
    const folder = this.folderOf(version);
    const names = await namesIn(folder);
    for (const name of assetNames) if (names.includes(name)) await unlink(join(folder, name));
    if (names.every((name) => assetNames.includes(name))) await rmdir(folder);
  }
}

/** The first version of each release that a selector matches, newest first. */
export function available(selector: VersionSelector): Version[] {
  const versions = servedReleases.map((release) => `${release}.0`.split('.').map(Number) as unknown as Version);
  return versions.reverse().filter((version) => selector.matches(version));
}

function newest(...lists: readonly (readonly Version[])[]): Version | undefined {
  return lists.flat().sort((one, other) => compareVersions(other, one))[0];
}

function releaseOf([major, minor]: Version): string {
  return `${major}.${minor}`;
}

/** Whether `orch envtest` wrote the assets in a folder: the first line of a script says so. */
async function isOurs(folder: string): Promise<boolean> {
  try {
    const file = await open(join(folder, assetNames[0]));
    try {
      const {buffer, bytesRead} = await file.read(Buffer.alloc(100), 0, 100, 0);
      return buffer.toString('latin1', 0, bytesRead).includes(writtenBy);
    } finally {
      await file.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
