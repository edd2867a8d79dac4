import type {NamingProfile, PlatformNames} from '../../../sdk/index.js';

/** What a profile consists of; everything else follows from it. */
export interface NamingTable extends PlatformNames {
  /** Keys that do not follow the general rule, neutral form to the form of the profile. */
  readonly keys: Readonly<Record<string, string>>;
}

/** A profile that can also be read backwards, for names that come from clients or from files of another profile. */
export interface ReversibleNamingProfile extends NamingProfile {
  /** The neutral form of a group: `storage.k8s.io` becomes `storage.orch`. */
  neutralGroup(group: string): string;
  /** The neutral form of a reserved key: `kubernetes.io/metadata.name` becomes `orch/metadata.name`. */
  neutralKey(key: string): string;
}

const neutralSuffix = 'orch';

/**
 * Domains of keys that are named after an API group and therefore carry the group suffix, not the key prefix, together
 * with all their subdomains (`mutation.webhook.admission.orch/…`).
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

/** Keys in a group's domain that carry the key prefix nevertheless, or the group suffix without being in one. */
const singleKeys: Readonly<Record<string, 'group' | 'key'>> = {
  'orch/initial-events-end': 'group',
  'orch/deprecated': 'group',
  'orch/removed-release': 'group',
  'orch/component': 'group',
  'rbac.authorization.orch/autoupdate': 'key',
};

/** Makes a profile of its table. The table is trusted: `createNamingProfile` checks what comes from outside. */
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

/** `a.b.FROM` becomes `a.b.TO`, FROM alone becomes TO; anything else stays. */
function exchangeSuffix(domain: string, from: string, to: string): string {
  if (domain === from) return to;
  return domain.endsWith(`.${from}`) ? domain.slice(0, -from.length) + to : domain;
}

/** Splits `DOMAIN/rest`; a key without a slash is all domain (`api-approved.orch`). */
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
  // A word without domain (`orch`) is no reserved key.
  if (rest === '' && !domain.includes('.')) return neutral;
  const suffix = carriesGroupSuffix(neutral, domain) ? table.groupSuffix : table.keyPrefix;
  return exchangeSuffix(domain, neutralSuffix, suffix) + rest;
}

function neutralKeyOf(key: string, table: NamingTable): string {
  const [domain, rest] = splitKey(key);
  if (rest === '' && !domain.includes('.')) return key;
  const asKey = exchangeSuffix(domain, table.keyPrefix, neutralSuffix);
  // Only what the profile would spell that way comes back: `storage.kubernetes.io/x` and `storage.k8s.io/x` are two keys.
  for (const neutral of [asKey, exchangeSuffix(domain, table.groupSuffix, neutralSuffix)]) {
    if (neutral !== domain && keyOf(neutral + rest, table) === key) return neutral + rest;
  }
  return key;
}
