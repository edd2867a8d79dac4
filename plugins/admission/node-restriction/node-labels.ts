import type {NamingProfile} from '../../../sdk/index.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** Labels of the platform that a kubelet reports for its own node. */
const own = [
  'orch/hostname',
  'orch/os',
  'orch/arch',
  'beta.orch/os',
  'beta.orch/arch',
  'node.orch/instance-type',
  'beta.orch/instance-type',
  'topology.orch/zone',
  'topology.orch/region',
  'failure-domain.beta.orch/zone',
  'failure-domain.beta.orch/region',
];
const ownDomains = ['kubelet.orch', 'node.orch'];

/** Decides which labels a kubelet may not change: with them it could attract workloads that are not meant for its node. */
export class NodeLabels {
  readonly #own: ReadonlySet<string>;
  readonly #ownDomains: readonly string[];
  readonly #platform: readonly string[];
  readonly #restricted: string;

  constructor(naming: NamingProfile) {
    const domain = (neutral: string) => naming.key(`${neutral}/x`).slice(0, -'/x'.length);
    this.#own = new Set(own.map((key) => naming.key(key)));
    this.#ownDomains = ownDomains.map(domain);
    this.#platform = [naming.keyPrefix, naming.groupSuffix];
    this.#restricted = domain('node-restriction.orch');
  }

  /** Sorted keys that were added, removed or changed although they may not be. */
  forbidden(before: Labels, now: Labels): string[] {
    const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(now ?? {})]);
    return [...keys].filter((key) => before?.[key] !== now?.[key] && this.#isForbidden(key)).sort();
  }

  #isForbidden(key: string): boolean {
    const slash = key.indexOf('/');
    const domain = slash < 0 ? '' : key.slice(0, slash);
    if (isWithin(domain, this.#restricted)) return true;
    if (!this.#platform.some((platform) => isWithin(domain, platform))) return false;
    return !this.#own.has(key) && !this.#ownDomains.some((allowed) => isWithin(domain, allowed));
  }
}

/** Whether a domain equals another one or is below it. */
function isWithin(domain: string, other: string): boolean {
  return domain === other || domain.endsWith(`.${other}`);
}
