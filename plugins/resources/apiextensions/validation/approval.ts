import {FieldPath, invalid, required, type FieldError, type NamingProfile} from '../../../../sdk/index.js';
import type {CustomResourceDefinition, Finding} from '../custom-resource-definition.js';

type State = 'approved' | 'bypassed' | 'missing' | 'invalid';

interface Approval {
  readonly state: State;
  readonly detail: string;
}

/** Where Kubernetes explains it: part of its messages. */
const approvalRules = 'https://github.com/kubernetes/enhancements/pull/1111';

/** The annotation that approves a definition in one of the platform's own groups. */
function annotationKey(naming: NamingProfile): string {
  return naming.key('api-approved.orch');
}

/** Whether a group is the platform's own: under its group suffix or its key prefix. */
function isProtectedGroup(group: string, naming: NamingProfile): boolean {
  return [naming.groupSuffix, naming.keyPrefix].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function approvalOf({metadata}: CustomResourceDefinition, naming: NamingProfile): Approval {
  const key = annotationKey(naming);
  const annotation = metadata.annotations?.[key] ?? '';
  if (annotation === '')
    return {state: 'missing', detail: `protected groups must have approval annotation ${JSON.stringify(key)}, see ${approvalRules}`};
  if (annotation.startsWith('unapproved')) return {state: 'bypassed', detail: `not approved: ${JSON.stringify(annotation)}`};
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/]/.test(annotation) && URL.canParse(annotation))
    return {state: 'approved', detail: `approved in ${annotation}`};
  const detail = `protected groups must have approval annotation ${JSON.stringify(key)} with either a URL or a reason starting with "unapproved", see ${approvalRules}`;
  return {state: 'invalid', detail};
}

/** Errors in the approval of a definition in a protected group. A definition stored with the same error may keep it. */
export function approvalFaults(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  naming: NamingProfile,
): FieldError[] {
  if (!isProtectedGroup(definition.spec.group, naming)) return [];
  const {state, detail} = approvalOf(definition, naming);
  if (old && approvalOf(old, naming).state === state) return [];
  const key = annotationKey(naming);
  const path = FieldPath.of('metadata', 'annotations').key(key);
  if (state === 'missing') return [required(path, detail)];
  return state === 'invalid' ? [invalid(path, definition.metadata.annotations?.[key], detail)] : [];
}

/** The condition that reports the approval; undefined outside protected groups. */
export function approvalCondition(definition: CustomResourceDefinition, naming: NamingProfile): Finding | undefined {
  if (!isProtectedGroup(definition.spec.group, naming)) return undefined;
  const {state, detail} = approvalOf(definition, naming);
  const reasons: Readonly<Record<State, string>> = {
    approved: 'ApprovedAnnotation',
    bypassed: 'UnapprovedAnnotation',
    missing: 'MissingAnnotation',
    invalid: 'InvalidAnnotation',
  };
  return {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: state === 'approved' ? 'True' : 'False',
    reason: reasons[state],
    message: detail,
  };
}
