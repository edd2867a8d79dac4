import type {LifetimeFault, LifetimeRule} from './lifetime-fault.js';

/** A lifetime promise that the platform's own types break deliberately. */
export interface LifetimeException {
  readonly rule: LifetimeRule;
  readonly subject: string;
  readonly reason: string;
}

/** All exceptions. There are none for plugins. */
export const lifetimeExceptions: readonly LifetimeException[] = [
  {
    rule: 'preferred-too-early',
    subject: 'flowcontrol.apiserver.orch/v1beta3',
    reason:
      'release 1.26 prefers it in discovery, though it is new there, and stores v1beta2 (docs/decisions/0019-preferred-version-of-flow-control.md)',
  },
];

/** The errors that no exception covers. */
export function uncovered(faults: readonly LifetimeFault[], exceptions = lifetimeExceptions): LifetimeFault[] {
  return faults.filter((fault) => !exceptions.some((exception) => covers(exception, fault)));
}

/** Exceptions that cover no error are errors themselves: they could hide a later one. */
export function unneeded(faults: readonly LifetimeFault[], exceptions = lifetimeExceptions): LifetimeFault[] {
  return exceptions
    .filter((exception) => !faults.some((fault) => covers(exception, fault)))
    .map(({rule, subject}) => ({
      rule: 'unneeded-exception',
      subject,
      text: `the exception from ${rule} covers nothing any more; take it out`,
    }));
}

function covers(exception: LifetimeException, fault: LifetimeFault): boolean {
  return exception.rule === fault.rule && exception.subject === fault.subject;
}
