import {StoreError, type NamingProfile, type Store} from '../../sdk/index.js';
import {compareReleases} from '../api/lifetimes/releases.js';

/** Where the store records its platform; no resource type can have this name, because of its characters. */
const type = '~platform';
const key = 'names';

interface Claim {
  /** The names with which objects in the store are written. Other names of a platform may change. */
  readonly platform: string;
  readonly groupSuffix: string;
  readonly keyPrefix: string;
  /** The newest release of Kubernetes that a server of the store has spoken. Stores of servers that spoke only one have none. */
  readonly release?: string;
}

/**
 * Records in a new store whose platform its names belong to, and verifies that an existing store belongs to that of this
 * server: groups, labels and finalizers of another platform would not be recognised. Records the server's release where it is the newest so far.
 *
 * @returns the newest release that a server of the store has spoken
 * @throws Error in one sentence when the store belongs to another platform
 * @throws StoreError when it cannot be read or written
 */
export async function claimStore(store: Store, {name, groupSuffix, keyPrefix}: NamingProfile, release: string): Promise<string> {
  for (;;) {
    const record = await store.read(type, key);
    const found = record && (JSON.parse(record.value.toString('utf8')) as Claim);
    if (found && (found.groupSuffix !== groupSuffix || found.keyPrefix !== keyPrefix)) {
      throw new Error(
        `the store belongs to the platform ${found.platform} (groups in ${found.groupSuffix}, keys in ${found.keyPrefix}), and this server is of the platform ${name}: start it with --platform ${found.platform}, or on another store`,
      );
    }
    if (found?.release !== undefined && compareReleases(found.release, release) >= 0) return found.release;
    const claim: Claim = {platform: name, groupSuffix, keyPrefix, ...found, release};
    try {
      await store.commit({type, key, expected: record?.revision ?? 0, value: Buffer.from(JSON.stringify(claim))});
      return release;
    } catch (error) {
      // Another server was first: what it has recorded counts.
      if (!StoreError.is(error) || !['Exists', 'Conflict', 'NotFound'].includes(error.code)) throw error;
    }
  }
}
