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

/** What happens to pods that violate a standard: they are rejected, the violation is noted with the request, or the client is warned. */
export const modes = ['enforce', 'audit', 'warn'] as const;

export type Mode = (typeof modes)[number];

/** The policy of a namespace. */
export type Policy = Readonly<Record<Mode, Standard>>;

export function isPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** Whether two policies are equivalent; at the level `privileged`, the version does not matter. */
export function isEquivalent(left: Policy, right: Policy): boolean {
  return modes.every(
    (mode) => isSameStandard(left[mode], right[mode]) || (left[mode].level === 'privileged' && right[mode].level === 'privileged'),
  );
}

/** The policy that the labels of a namespace ask for, and the errors in them. There is always a policy. */
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
   * The policy of a namespace. `defaults` apply to missing labels. An invalid level counts as `restricted` for enforce and as `privileged`
   * for audit and warn; an invalid version counts as the latest.
   */
  read(labels: Labels, defaults: Policy): PolicyOfLabels {
    if (!labels) return {policy: defaults, faults: []};
    const faults: FieldError[] = [];
    const enforce = this.#read(labels, 'enforce', defaults, faults);
    const audit = this.#read(labels, 'audit', defaults, faults);
    const warn = this.#read(labels, 'warn', defaults, faults);
    return {policy: {enforce, audit, warn: this.#atLeast(labels, warn, enforce)}, faults};
  }

  /** Whether a namespace has a label for a mode. */
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

  /**
   * If a namespace enforces a level and has no warn label, warnings use the same level: they concern templates, whose pods would be
   * rejected later.
   */
  #atLeast(labels: NonNullable<Labels>, warn: Standard, enforce: Standard): Standard {
    const {level, version} = this.#keys.warn;
    const enforced = parseLevel(labels[this.#keys.enforce.level] ?? '');
    if (labels[level] !== undefined || enforced === undefined || !isStricter(enforced, warn.level)) return warn;
    return {level: enforced, version: labels[version] === undefined ? enforce.version : warn.version};
  }
}
