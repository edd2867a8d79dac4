import {groupResourceText, type NamingProfile, type ResourceDefinition, type Store} from '../../sdk/index.js';
import {existsIn} from '../api/lifetimes/version-stability.js';

/**
 * What a server does with a store that a server of a newer release has written to, in one sentence: for a refusal, or a warning.
 *
 * @param found the newest release that a server of the store has spoken
 * @param resources all types of the plugins, of whatever release
 * @throws StoreError when the store cannot be read
 */
export async function olderReleaseText(
  store: Store,
  {found, release, naming, resources}: {found: string; release: string; naming: NamingProfile; resources: readonly ResourceDefinition[]},
): Promise<string> {
  const gone = resources.filter(({versions}) => !versions.some(({lifetime}) => existsIn(release, lifetime)));
  const kinds: string[] = [];
  for (const {group, names} of gone) {
    const name = groupResourceText({group: naming.group(group), resource: names.plural});
    const count = [...(await store.list(name)).records].length;
    if (count > 0) kinds.push(`${name} (${count})`);
  }
  return (
    `a server of release ${found} has written to the store, and this one speaks ${release}: fields that came later are not shown, and are lost from objects that it writes` +
    (kinds.length === 0 ? '' : `; not served are ${kinds.join(', ')}`)
  );
}
