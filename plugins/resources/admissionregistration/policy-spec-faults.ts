import {
  dns1035LabelFaults,
  dnsSubdomainFaults,
  FieldPath,
  invalid,
  notSupported,
  parseApiVersion,
  required,
  type FieldError,
} from '../../../sdk/index.js';
import {sameValue, validateOneOf} from '../../../sdk/validation/index.js';
import type {MatchResources, ParamKind} from '../../../sdk/types/unchecked/admissionregistration/v1.js';
import type {PolicySpec} from '../../families/admission-policies/admission-policy.js';
import type {ExpressionFaults, PolicyExpressions} from './expression-faults.js';
import {matchResourcesFaults} from './match-resources-faults.js';
import {variableFaults} from './policy-member-faults.js';

export const specPath = FieldPath.of('spec');
const paramPath = specPath.child('paramKind');
const constraintsPath = specPath.child('matchConstraints');
const conditionsPath = specPath.child('matchConditions');
const variablesPath = specPath.child('variables');
/** What policies can match that change objects: what is deleted cannot be changed. */
const mutatingOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/**
 * Errors in the members that all kinds of policies have.
 *
 * @param old the stored policy: match conditions that were accepted once may stay
 */
export async function policySpecFaults(
  spec: PolicySpec,
  old: PolicySpec | undefined,
  {all, ofPolicy, isMutating}: {readonly all: ExpressionFaults; readonly ofPolicy: PolicyExpressions; readonly isMutating: boolean},
): Promise<FieldError[]> {
  const {paramKind, matchConstraints, matchConditions, variables} = spec;
  const areKept = old !== undefined && sameValue(old.paramKind, paramKind) && sameValue(old.matchConditions, matchConditions);
  const faults = [
    ...validateOneOf(spec.failurePolicy, ['Fail', 'Ignore'], specPath.child('failurePolicy')),
    ...(paramKind ? paramKindFaults(paramKind) : []),
    ...constraintFaults(matchConstraints),
    ...(isMutating ? mutatingOperationFaults(matchConstraints, constraintsPath) : []),
    ...(areKept ? [] : await all.ofConditions(matchConditions, conditionsPath, Boolean(paramKind))),
  ];
  for (const [index, variable] of (variables ?? []).entries())
    faults.push(...(await variableFaults(variable, variablesPath.index(index), ofPolicy)));
  return faults;
}

/** Operations that cannot be chosen where objects are changed. The path has no index (as in Kubernetes). */
export function mutatingOperationFaults(match: MatchResources | null | undefined, path: FieldPath): FieldError[] {
  const at = path.child('resourceRules', 'operations');
  return (match?.resourceRules ?? [])
    .flatMap(({operations}) => operations ?? [])
    .filter((operation) => !mutatingOperations.includes(operation))
    .map((operation) => notSupported(at, operation, mutatingOperations));
}

/** How tables name the kind of the parameters of a policy. */
export function paramKindText(kind: ParamKind | null | undefined): string {
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>';
}

function constraintFaults(constraints: MatchResources | null | undefined): FieldError[] {
  if (!constraints) return [required(constraintsPath)];
  const faults = matchResourcesFaults(constraints, constraintsPath);
  // Expressions are checked against the types of the selected resources.
  if (!constraints.resourceRules?.length) faults.push(required(constraintsPath.child('resourceRules')));
  return faults;
}

function paramKindFaults({apiVersion = '', kind = ''}: ParamKind): FieldError[] {
  const kindPath = paramPath.child('kind');
  const faults = apiVersionFaults(apiVersion);
  if (kind === '') return [...faults, required(kindPath)];
  const details = dns1035LabelFaults(kind.toLowerCase());
  if (details.length > 0) faults.push(invalid(kindPath, kind, `may have mixed case, but should otherwise match: ${details.join(',')}`));
  return faults;
}

function apiVersionFaults(apiVersion: string): FieldError[] {
  const path = paramPath.child('apiVersion');
  if (apiVersion === '') return [required(path)];
  const parsed = parseApiVersion(apiVersion);
  if (!parsed) return [invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)];
  const groupDetails = parsed.group === '' ? [] : dnsSubdomainFaults(parsed.group);
  const versionDetails = dns1035LabelFaults(parsed.version);
  return [
    ...(groupDetails.length > 0 ? [invalid(path, parsed.group, groupDetails.join(','))] : []),
    ...(versionDetails.length > 0 ? [invalid(path, parsed.version, versionDetails.join(','))] : []),
  ];
}
