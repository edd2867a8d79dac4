import type {NamingProfile} from '../../../sdk/index.js';

type Labels = Readonly<Record<string, string>> | undefined;

/** Labels of the platform that an agent reports of its own node. */
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

/** Says which labels a node agent may not touch: with them it could draw work to itself that is not meant for it. */
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

  /** Keys that were added, removed or changed and may not be, sorted. */
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

/** Whether a domain is another one or below it. */
function isWithin(domain: string, other: string): boolean {
  return domain === other || domain.endsWith(`.${other}`);
}
