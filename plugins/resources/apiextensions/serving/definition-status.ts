import {isDeepStrictEqual} from 'node:util';
import {
  conditionOf,
  type CustomResourceDefinition,
  type DefinitionCondition,
  type DefinitionStatus,
  type Finding,
} from '../custom-resource-definition.js';
import type {NamesVerdict} from './accept-names.js';

/** The conditions that follow from a verdict on names. A definition remains established. */
export function findingsOf(definition: CustomResourceDefinition, verdict: NamesVerdict, approval: Finding | undefined): Finding[] {
  const before = conditionOf(definition, 'Established');
  // Only one of two definitions with the same kind can be served; other conflicting names are simply left out.
  const isNamed = verdict.names.kind !== '' && verdict.names.plural !== '';
  const established: Finding =
    before?.status === 'True' && isNamed
      ? {type: before.type, status: 'True', reason: before.reason ?? '', message: before.message ?? ''}
      : verdict.finding.status === 'True'
        ? {type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted'}
        : {type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted'};
  return [verdict.finding, established, ...(approval ? [approval] : [])];
}

/** Conditions updated with new findings. A condition's time changes only with its status. */
export function withFindings(conditions: readonly DefinitionCondition[], findings: readonly Finding[], now: Date): DefinitionCondition[] {
  const time = `${now.toISOString().slice(0, 19)}Z`;
  const result = [...conditions];
  for (const {type, status, reason, message} of findings) {
    const position = result.findIndex((condition) => condition.type === type);
    const known = result[position];
    const lastTransitionTime = known?.status === status ? (known.lastTransitionTime ?? time) : time;
    const next = {type, status, lastTransitionTime, reason, message};
    if (position < 0) result.push(next);
    else result[position] = next;
  }
  return result;
}

/** The status updated with a verdict; undefined if it does not change. */
export function changedStatus(
  definition: CustomResourceDefinition,
  verdict: NamesVerdict,
  findings: readonly Finding[],
  now: Date,
): DefinitionStatus | undefined {
  const before = definition.status?.conditions ?? [];
  const conditions = withFindings(before, findings, now);
  const unchanged =
    isDeepStrictEqual(plain(conditions), plain(before)) && isDeepStrictEqual(plain(verdict.names), plain(definition.status?.acceptedNames));
  return unchanged ? undefined : {...definition.status, conditions, acceptedNames: verdict.names};
}

/** Undefined members count as absent. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}
