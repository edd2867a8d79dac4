import {parseApiVersion, type NamingProfile, type ResourceClient, type ServedResource, type Unchecked} from '../../../sdk/index.js';
import type {ParamKind} from '../../../sdk/types/admissionregistration/v1alpha1.js';

/** The served type whose objects a policy takes its parameters from; undefined if there is none. */
export function paramType(
  resources: ResourceClient,
  naming: NamingProfile,
  {apiVersion = '', kind = ''}: Unchecked<ParamKind>,
): ServedResource | undefined {
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) return undefined;
  return resources
    .resources()
    .find((type) => type.kind === kind && type.version === parsed.version && naming.group(type.group) === parsed.group);
}
