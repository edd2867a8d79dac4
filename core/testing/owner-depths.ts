import {StoreError, type ObjectMeta} from '../../sdk/index.js';
import {readStoredHeader} from '../storage/cache/stored-value.js';

/** More owners above each other are no suite's need; what names itself as its owner ends here. */
const deepest = 20;

/**
 * How many owners each of some stored objects has above it among the others, 0 for one without. What is encrypted has none that could be read.
 *
 * @param values as a store keeps them
 */
export function ownerDepths(values: readonly Buffer[]): ReadonlyMap<Buffer, number> {
  const ownersOf = new Map<string, readonly string[]>();
  const uidOf = new Map<Buffer, string>();
  for (const value of values) {
    const {uid, ownerReferences = []} = metadataOf(value) ?? {};
    if (uid === undefined || ownerReferences.length === 0) continue;
    uidOf.set(value, uid);
    ownersOf.set(
      uid,
      ownerReferences.map((owner) => owner.uid),
    );
  }
  const depths = new Map<string, number>();
  const depthOf = (uid: string, below: number): number => {
    const known = depths.get(uid);
    if (known !== undefined) return known;
    const owners = below < deepest ? (ownersOf.get(uid) ?? []) : [];
    const depth = owners.reduce((most, owner) => Math.max(most, 1 + depthOf(owner, below + 1)), 0);
    depths.set(uid, depth);
    return depth;
  };
  return new Map([...uidOf].map(([value, uid]) => [value, depthOf(uid, 0)]));
}

function metadataOf(value: Buffer): ObjectMeta | undefined {
  if (!value.includes('"ownerReferences":[')) return undefined;
  try {
    const {textStart} = readStoredHeader(value, '');
    return (JSON.parse(value.toString('utf8', textStart)) as {metadata: ObjectMeta}).metadata;
  } catch (error) {
    if (StoreError.is(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
