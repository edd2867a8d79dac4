import {FieldPath, invalid, type FieldError, type NamingProfile} from '../../../sdk/index.js';
import {
  isSameStandard,
  isStricter,
  levelFault,
  parseLevel,
  parseVersion,
  versionFault,
  type Level,
  type PolicyVersion,
  type Standard,
} from './standard.js';

/** What becomes of pods that violate a standard: they are refused, the violation is noted with the request, the client is warned. */
export const modes = ['enforce', 'audit', 'warn'] as const;

export type Mode = (typeof modes)[number];

/** What a namespace holds its pods against. */
export type Policy = Readonly<Record<Mode, Standard>>;

export function isPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** Whether two policies do the same; at the level `privileged` the version makes no difference. */
export function isEquivalent(left: Policy, right: Policy): boolean {
  return modes.every(
    (mode) => isSameStandard(left[mode], right[mode]) || (left[mode].level === 'privileged' && right[mode].level === 'privileged'),
  );
}

/** What labels of a namespace say, and what is wrong with them. There is always a policy. */
export interface PolicyOfLabels {
  readonly policy: Policy;
  readonly faults: readonly FieldError[];
}

type Labels = Readonly<Record<string, string>> | undefined;

const labelsPath = FieldPath.of('metadata', 'labels');

/** The keys of the labels `pod-security.orch/MODE` and `pod-security.orch/MODE-version`. */
export class PolicyLabels {
  readonly #keys: Readonly<Record<Mode, {readonly level: string; readonly version: string}>>;

  constructor(naming: NamingProfile) {
    const keys = (mode: Mode) => ({
      level: naming.key(`pod-security.orch/${mode}`),
      version: naming.key(`pod-security.orch/${mode}-version`),
    });
    this.#keys = {enforce: keys('enforce'), audit: keys('audit'), warn: keys('warn')};
  }

  /**
   * The policy of a namespace. What its labels leave out is as `defaults` have it. A label that means nothing counts as the strictest level where pods are
   * refused, as none where they are only remarked upon, and as the newest version.
   */
  read(labels: Labels, defaults: Policy): PolicyOfLabels {
    if (!labels) return {policy: defaults, faults: []};
    const faults: FieldError[] = [];
    const enforce = this.#read(labels, 'enforce', defaults, faults);
    const audit = this.#read(labels, 'audit', defaults, faults);
    const warn = this.#read(labels, 'warn', defaults, faults);
    return {policy: {enforce, audit, warn: this.#atLeast(labels, warn, enforce)}, faults};
  }

  /** Whether a namespace says anything about a mode. */
  has(labels: Labels, mode: Mode): boolean {
    const {level, version} = this.#keys[mode];
    return labels?.[level] !== undefined || labels?.[version] !== undefined;
  }

  #read(labels: NonNullable<Labels>, mode: Mode, defaults: Policy, faults: FieldError[]): Standard {
    const keys = this.#keys[mode];
    let level: Level | undefined = defaults[mode].level;
    let version: PolicyVersion | undefined = defaults[mode].version;
    const levelText = labels[keys.level];
    if (levelText !== undefined) {
      level = parseLevel(levelText);
      if (level === undefined) faults.push(invalid(labelsPath.key(keys.level), levelText, levelFault));
    }
    const versionText = labels[keys.version];
    if (versionText !== undefined) {
      version = parseVersion(versionText);
      if (version === undefined) faults.push(invalid(labelsPath.key(keys.version), versionText, versionFault));
    }
    return {level: level ?? (mode === 'enforce' ? 'restricted' : 'privileged'), version: version ?? 'latest'};
  }

  /** Who enforces a level without a word about warnings is warned of the same: of templates, whose pods would be refused later. */
  #atLeast(labels: NonNullable<Labels>, warn: Standard, enforce: Standard): Standard {
    const {level, version} = this.#keys.warn;
    const enforced = parseLevel(labels[this.#keys.enforce.level] ?? '');
    if (labels[level] !== undefined || enforced === undefined || !isStricter(enforced, warn.level)) return warn;
    return {level: enforced, version: labels[version] === undefined ? enforce.version : warn.version};
  }
}
