import {dnsLabelFaults, dnsSubdomainFaults} from '../metadata/name-formats.js';
import {kubernetes} from './kubernetes.js';
import {profileOf, type NamingTable, type ReversibleNamingProfile} from './naming-profile.js';
import {orch} from './orch.js';

/**
 * A user-defined profile. What is left out follows from the first three members: `application/vnd.NAME.protobuf`, headers `X-Name`, the
 * namespaces `NAME-system`, `NAME-public` and `NAME-node-lease`, signers `KEYPREFIX/PART`. Feature gates override those of the `orch`
 * profile.
 */
export type CustomNaming = Pick<NamingTable, 'name' | 'groupSuffix' | 'keyPrefix'> & Partial<NamingTable>;

const shipped: ReadonlyMap<string, ReversibleNamingProfile> = new Map([
  ['orch', orch],
  ['kubernetes', kubernetes],
]);

/** The built-in profile with this name (`orch` or `kubernetes`), or undefined. */
export function namingProfileNamed(name: string): ReversibleNamingProfile | undefined {
  return shipped.get(name);
}

type MemberKind = 'string' | 'map of strings' | 'map of booleans';

const members = new Map<string, MemberKind>(
  Object.entries({
    name: 'string',
    groupSuffix: 'string',
    keyPrefix: 'string',
    protobufMediaType: 'string',
    headerPrefix: 'string',
    systemNamespace: 'string',
    publicNamespace: 'string',
    nodeLeaseNamespace: 'string',
    signers: 'map of strings',
    featureGates: 'map of booleans',
    keys: 'map of strings',
  } satisfies Record<keyof CustomNaming, MemberKind>),
);

/**
 * Creates a profile from a configuration.
 *
 * @throws Error whose message lists all problems with their member names
 */
export function createNamingProfile(custom: CustomNaming): ReversibleNamingProfile {
  const faults = shapeFaults(custom);
  if (faults.length === 0) faults.push(...valueFaults(custom));
  if (faults.length > 0) throw new Error(`naming profile: ${faults.join('; ')}`);

  const {name, keyPrefix} = custom;
  const signers = Object.keys(orch.signers).map((part): [string, string] => [part, `${keyPrefix}/${part}`]);
  return profileOf({
    name,
    groupSuffix: custom.groupSuffix,
    keyPrefix,
    protobufMediaType: custom.protobufMediaType ?? `application/vnd.${name}.protobuf`,
    headerPrefix: custom.headerPrefix ?? headerPrefixOf(name),
    systemNamespace: custom.systemNamespace ?? `${name}-system`,
    publicNamespace: custom.publicNamespace ?? `${name}-public`,
    nodeLeaseNamespace: custom.nodeLeaseNamespace ?? `${name}-node-lease`,
    signers: {...Object.fromEntries(signers), ...custom.signers},
    featureGates: {...orch.featureGates, ...custom.featureGates},
    keys: {...custom.keys},
  });
}

/** `acme-cloud` becomes `X-Acme-Cloud`. */
function headerPrefixOf(name: string): string {
  return ['x', ...name.split('-')].map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('-');
}

function shapeFaults(custom: unknown): string[] {
  if (typeof custom !== 'object' || custom === null || Array.isArray(custom)) return ['must be an object'];
  const faults: string[] = [];
  for (const [member, value] of Object.entries(custom)) {
    const kind = members.get(member);
    if (kind === undefined) faults.push(`${member}: unknown member`);
    else if (!hasKind(value, kind)) faults.push(`${member}: must be a ${kind}`);
  }
  for (const member of ['name', 'groupSuffix', 'keyPrefix']) if (!Object.hasOwn(custom, member)) faults.push(`${member}: is required`);
  return faults;
}

function hasKind(value: unknown, kind: MemberKind): boolean {
  if (kind === 'string') return typeof value === 'string';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const type = kind === 'map of strings' ? 'string' : 'boolean';
  return Object.values(value).every((entry) => typeof entry === type);
}

function valueFaults(custom: CustomNaming): string[] {
  const faults: string[] = [];
  const check = (member: string, messages: readonly string[]) => faults.push(...messages.map((message) => `${member}: ${message}`));
  check('name', dnsLabelFaults(custom.name));
  if (shipped.has(custom.name)) faults.push(`name: ${custom.name} is a shipped profile`);
  check('groupSuffix', dnsSubdomainFaults(custom.groupSuffix));
  check('keyPrefix', dnsSubdomainFaults(custom.keyPrefix));
  for (const member of ['systemNamespace', 'publicNamespace', 'nodeLeaseNamespace'] as const) {
    const namespace = custom[member];
    if (namespace !== undefined) check(member, dnsLabelFaults(namespace));
  }
  if (custom.protobufMediaType !== undefined && !/^application\/[a-z0-9][a-z0-9.+-]*$/.test(custom.protobufMediaType)) {
    faults.push('protobufMediaType: must be an application/… media type without parameters, in lower case');
  }
  if (custom.headerPrefix !== undefined && !/^[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(custom.headerPrefix)) {
    faults.push('headerPrefix: must be words of letters and digits with hyphens between them');
  }
  for (const [part, signer] of Object.entries(custom.signers ?? {})) {
    if (!Object.hasOwn(orch.signers, part))
      faults.push(`signers.${part}: unknown signer; there are ${Object.keys(orch.signers).join(', ')}`);
    if (!/^[^/\s]+\/[^/\s]+$/.test(signer)) faults.push(`signers.${part}: must have the form DOMAIN/NAME`);
  }
  const texts = Object.values(custom.keys ?? {});
  if (new Set(texts).size !== texts.length) faults.push('keys: two keys have the same spelling');
  return faults;
}
