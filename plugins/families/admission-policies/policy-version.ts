import type {NamingProfile, ResourceClient} from '../../../sdk/index.js';

/** Best first. All have what the others have. */
const versions = ['v1', 'v1beta1', 'v1alpha1'];

/** The best version in which a type of policies is served; undefined if none is. @param resource its plural */
export function servedPolicyVersion(
  resources: Pick<ResourceClient, 'resources'>,
  naming: NamingProfile,
  resource: string,
): string | undefined {
  const group = naming.group('admissionregistration.orch');
  const types = resources.resources().filter((type) => type.group === group && type.resource === resource);
  return versions.find((version) => types.some((type) => type.version === version));
}
