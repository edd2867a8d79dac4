import type {NamingProfile, PlatformNames} from '../../../sdk/index.js';

/** The data of a profile; everything else follows from it. */
export interface NamingTable extends PlatformNames {
  /** Exceptions to the general rule: neutral key to the profile's key. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A profile that also translates back, for names from clients or from files of another profile. */
export interface ReversibleNamingProfile extends NamingProfile {
  /** The neutral form of a group: `storage.k8s.io` becomes `storage.orch`. */
  neutralGroup(group: string): string;
  /** The neutral form of a reserved key: `kubernetes.io/metadata.name` becomes `orch/metadata.name`. */
  neutralKey(key: string): string;
}

const neutralSuffix = 'orch';

/**
 * Domains of keys that are named after an API group. They and all their subdomains therefore use the group suffix instead of the key prefix
 * (`mutation.webhook.admission.orch/…`).
 */
const groupDomains: readonly string[] = [
  'admission.orch',
  'authentication.orch',
  'authorization.orch',
  'audit.orch',
  'image-policy.orch',
  'csi.storage.orch',
  'snapshot.storage.orch',
  'storageclass.storage.orch',
];

/** Keys in a group's domain that use the key prefix, and keys outside any group that use the group suffix. */
const singleKeys: Readonly<Record<string, 'group' | 'key'>> = {
  'orch/initial-events-end': 'group',
  'orch/deprecated': 'group',
  'orch/removed-release': 'group',
  'orch/component': 'group',
  'flowcontrol.orch/v1beta3-preserve-zero-concurrency-shares': 'group',
  'rbac.authorization.orch/autoupdate': 'key',
};

/** Creates a profile from its table. The table is trusted: `createNamingProfile` checks input from outside. */
export function profileOf(table: NamingTable): ReversibleNamingProfile {
  const {keys: exceptions, ...properties} = table;
  const exact = new Map<string, string>(Object.entries(exceptions));
  for (const [name, signer] of Object.entries(table.signers)) exact.set(`${neutralSuffix}/${name}`, signer);
  const exactReverse = new Map([...exact].map(([neutral, own]) => [own, neutral]));

  return Object.freeze({
    ...properties,
    group: (neutral: string) => exchangeSuffix(neutral, neutralSuffix, table.groupSuffix),
    key: (neutral: string) => exact.get(neutral) ?? keyOf(neutral, table),
    neutralGroup: (group: string) => exchangeSuffix(group, table.groupSuffix, neutralSuffix),
    neutralKey: (key: string) => exactReverse.get(key) ?? neutralKeyOf(key, table),
  });
}

/** `a.b.FROM` becomes `a.b.TO`, FROM alone becomes TO; anything else is unchanged. */
function exchangeSuffix(domain: string, from: string, to: string): string {
  if (domain === from) return to;
  return domain.endsWith(`.${from}`) ? domain.slice(0, -from.length) + to : domain;
}

/** Splits `DOMAIN/rest`. A key without a slash consists of the domain only (`api-approved.orch`). */
function splitKey(key: string): [domain: string, rest: string] {
  const slash = key.indexOf('/');
  return slash === -1 ? [key, ''] : [key.slice(0, slash), key.slice(slash)];
}

function isGroupDomain(domain: string): boolean {
  return groupDomains.some((known) => domain === known || domain.endsWith(`.${known}`));
}

function carriesGroupSuffix(neutral: string, domain: string): boolean {
  const single = Object.hasOwn(singleKeys, neutral) ? singleKeys[neutral] : undefined;
  return single === undefined ? isGroupDomain(domain) : single === 'group';
}

function keyOf(neutral: string, table: NamingTable): string {
  const [domain, rest] = splitKey(neutral);
  // A word without a domain (`orch`) is not a reserved key.
  if (rest === '' && !domain.includes('.')) return neutral;
  const suffix = carriesGroupSuffix(neutral, domain) ? table.groupSuffix : table.keyPrefix;
  return exchangeSuffix(domain, neutralSuffix, suffix) + rest;
}

function neutralKeyOf(key: string, table: NamingTable): string {
  const [domain, rest] = splitKey(key);
  if (rest === '' && !domain.includes('.')) return key;
  const asKey = exchangeSuffix(domain, table.keyPrefix, neutralSuffix);
  // Only keys that the profile would spell this way are translated back: `storage.kubernetes.io/x` and `storage.k8s.io/x` are different
  // keys.
  for (const neutral of [asKey, exchangeSuffix(domain, table.groupSuffix, neutralSuffix)]) {
    if (neutral !== domain && keyOf(neutral + rest, table) === key) return neutral + rest;
  }
  return key;
}
