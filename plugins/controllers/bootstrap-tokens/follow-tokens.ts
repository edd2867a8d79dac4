import type {NamingProfile, ResourceClient} from '../../../sdk/index.js';
import {followObjects, type ObjectFollower} from '../../../sdk/controllers/index.js';
import {tokenSecrets, tokenSecretType} from '../../families/bootstrap-tokens/token-secret.js';

/** Watches the Secrets of bootstrap tokens, and no others, until the signal fires. */
export function followTokens(
  resources: ResourceClient,
  naming: NamingProfile,
  follower: ObjectFollower,
  signal: AbortSignal,
): Promise<void> {
  const fieldSelector = `metadata.namespace=${naming.systemNamespace},type=${tokenSecretType(naming)}`;
  return followObjects(resources, tokenSecrets, follower, signal, {fieldSelector});
}
