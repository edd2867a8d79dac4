import type {NamingProfile} from '../../sdk/index.js';
import {createNamingProfile, namingProfileNamed} from '../api/naming/create-naming-profile.js';
import type {NamingConfiguration} from './configuration.js';

/**
 * The naming profile that a server works under.
 *
 * @param platform the value of `--platform`: a built-in profile, or the name of the configuration's own
 * @throws Error in one sentence when there is no such profile or the configured one is not valid
 */
export function resolveNaming(platform: string | undefined, custom: NamingConfiguration | undefined): NamingProfile {
  const name = platform ?? custom?.name ?? 'orch';
  const shipped = namingProfileNamed(name);
  if (shipped && custom?.name !== name) return shipped;
  if (!custom || custom.name !== name) {
    throw new Error(
      `unknown platform ${JSON.stringify(name)}: choose orch or kubernetes, or describe a profile of that name under "naming" in the configuration file`,
    );
  }
  const base = namingProfileNamed(custom.base ?? 'orch')!;
  const {base: _base, ...given} = custom;
  return createNamingProfile({
    groupSuffix: base.groupSuffix,
    keyPrefix: base.keyPrefix,
    protobufMediaType: base.protobufMediaType,
    headerPrefix: base.headerPrefix,
    systemNamespace: base.systemNamespace,
    publicNamespace: base.publicNamespace,
    nodeLeaseNamespace: base.nodeLeaseNamespace,
    signers: base.signers,
    ...given,
    featureGates: {...base.featureGates, ...given.featureGates},
  });
}
