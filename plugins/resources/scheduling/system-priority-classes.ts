/** The platform's own priority classes; only they may have names that start with `system-`. */
export const systemPriorityClasses = [
  {
    name: 'system-node-critical',
    value: 2_000_001_000,
    description: 'For pods of the system that must not be moved from their node.',
  },
  {
    name: 'system-cluster-critical',
    value: 2_000_000_000,
    description: 'For pods of the system that must run in the cluster but may be moved to another node if necessary.',
  },
] as const;

/** Reserved name prefix. */
export const systemPrefix = 'system-';

/** Maximum value of a user-defined class. */
export const highestUserPriority = 1_000_000_000;

/** Why a class with a reserved name is not one of the platform's; undefined if it is. */
export function systemClassProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemPriorityClasses.find((entry) => entry.name === name);
  if (!known) return `${name} is not a known system priority class`;
  if (known.value !== value) return `value of ${name} PriorityClass must be ${known.value}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
