import type {NamingProfile} from '../contracts/naming.js';

/** What a client needs to know of the server's naming profile. */
export type PlatformNames = Pick<NamingProfile, 'groupSuffix' | 'protobufMediaType'>;

/** The built-in profiles, or the names of a custom one. */
export type Platform = 'orch' | 'kubernetes' | PlatformNames;

const shipped: Readonly<Record<'orch' | 'kubernetes', PlatformNames>> = {
  orch: {groupSuffix: 'orch', protobufMediaType: 'application/vnd.orch.protobuf'},
  kubernetes: {groupSuffix: 'k8s.io', protobufMediaType: 'application/vnd.kubernetes.protobuf'},
};

export function platformNames(platform: Platform): PlatformNames {
  return typeof platform === 'string' ? shipped[platform] : platform;
}

/** A group as the server spells it: `storage.orch` becomes `storage.k8s.io`. Groups without the suffix are unchanged. */
export function spelledGroup(neutral: string, {groupSuffix}: PlatformNames): string {
  return neutral.endsWith('.orch') ? neutral.slice(0, -'orch'.length) + groupSuffix : neutral;
}
