import {Client} from '../../sdk/client/client.js';
import {loadConnection} from '../../sdk/client/config/load-connection.js';
import type {NamingProfile} from '../../sdk/index.js';
import {types} from '../../sdk/types/resources.js';

/**
 * Holders of the leases in the system namespace, by name of the lease; empty for a lease that is not held.
 *
 * @param kubeconfig names the server that is asked
 * @throws Error in one sentence, StatusError, ConnectionError
 */
export async function leaseHolders(naming: NamingProfile, kubeconfig: string): Promise<ReadonlyMap<string, string>> {
  using client = new Client(await loadConnection({kubeconfig}), {platform: naming});
  const {items} = await client.resource(types.coordination.v1.Lease, naming.systemNamespace).listAll();
  return new Map(items.map(({metadata, spec}) => [metadata?.name ?? '', spec?.holderIdentity ?? '']));
}
