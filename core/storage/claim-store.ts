import {StoreError, type NamingProfile, type Store} from '../../sdk/index.js';

/** Where the store records its platform; no resource type can have this name, because of its characters. */
const type = '~platform';
const key = 'names';

/** The names with which objects in a store are written. Other names of a platform may change. */
interface Claim {
  readonly platform: string;
  readonly groupSuffix: string;
  readonly keyPrefix: string;
}

/**
 * Records in a new store whose platform its names belong to, and verifies that an existing store belongs to that of this
 * server: groups, labels and finalizers of another platform would not be recognised.
 *
 * @throws Error in one sentence when the store belongs to another platform
 * @throws StoreError when it cannot be read or written
 */
export async function claimStore(store: Store, {name, groupSuffix, keyPrefix}: NamingProfile): Promise<void> {
  const claim: Claim = {platform: name, groupSuffix, keyPrefix};
  const found = (await readClaim(store)) ?? (await writeClaim(store, claim));
  if (found.groupSuffix === groupSuffix && found.keyPrefix === keyPrefix) return;
  throw new Error(
    `the store belongs to the platform ${found.platform} (groups in ${found.groupSuffix}, keys in ${found.keyPrefix}), and this server is of the platform ${name}: start it with --platform ${found.platform}, or on another store`,
  );
}

async function readClaim(store: Store): Promise<Claim | undefined> {
  const record = await store.read(type, key);
  return record && (JSON.parse(record.value.toString('utf8')) as Claim);
}

/** The claim that is finally stored: another server may have been first. */
async function writeClaim(store: Store, claim: Claim): Promise<Claim> {
  try {
    await store.commit({type, key, expected: 0, value: Buffer.from(JSON.stringify(claim))});
    return claim;
  } catch (error) {
    if (!StoreError.is(error) || error.code !== 'Exists') throw error;
    return (await readClaim(store)) ?? claim;
  }
}
