import {
  FieldPath,
  type AccessReviewer,
  type AuthorizationAttributes,
  type FieldSelectorTerm,
  type LabelSelectorTerm,
  type UserInfo,
} from '../../../sdk/index.js';
import {validateLabelRequirement} from '../../../sdk/labels/index.js';
import type {
  ResourceAttributes,
  SelfSubjectAccessReviewSpec,
  SubjectAccessReviewSpec,
} from '../../../sdk/types/unchecked/authorization/v1.js';

/** A review's question, and what of it could not be understood. */
export interface AccessQuestion {
  readonly attributes: AuthorizationAttributes;
  /** In Kubernetes' words; the rest of the question is asked all the same, which is a broader one. */
  readonly ignored: readonly string[];
}

/** A review's question in the form of authorizer attributes. */
export function accessQuestion(
  user: UserInfo,
  {resourceAttributes, nonResourceAttributes}: SelfSubjectAccessReviewSpec,
  access: AccessReviewer,
): AccessQuestion {
  const {verb = '', group = '', version = '', resource = '', subresource = '', namespace = '', name = ''} = resourceAttributes ?? {};
  if (resourceAttributes) {
    const {terms, ignored} = selectors(resourceAttributes, access);
    // A review that names no version is about all of them.
    const target = {group, version: version || '*', resource, subresource, namespace, name};
    return {attributes: {user, verb, isResourceRequest: true, path: '', ...target, ...terms}, ignored};
  }
  const {path = '', verb: method = ''} = nonResourceAttributes ?? {};
  return {
    attributes: {user, verb: method, isResourceRequest: false, path, group, version, resource, subresource, namespace, name},
    ignored: [],
  };
}

/** The user that a review is about. Keys of extra values are case-insensitive. */
export function reviewedUser({user = '', groups, uid, extra}: SubjectAccessReviewSpec): UserInfo {
  return {
    username: user,
    groups: groups ?? [],
    ...(uid ? {uid} : {}),
    ...(extra ? {extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key.toLowerCase(), values]))} : {}),
  };
}

function selectors({fieldSelector, labelSelector}: ResourceAttributes, access: AccessReviewer) {
  const {unreadable, ...raw} = access.readSelectors(fieldSelector?.rawSelector ?? '', labelSelector?.rawSelector ?? '');
  const fields = understood(fieldSelector?.requirements, fieldTerm);
  const labels = understood(labelSelector?.requirements, labelTerm);
  const field = raw.fieldSelector ?? fields.terms;
  const label = raw.labelSelector ?? labels.terms;
  return {
    terms: {...(field.length > 0 ? {fieldSelector: field} : {}), ...(label.length > 0 ? {labelSelector: label} : {})},
    ignored: [
      ...ignoredText('fieldSelector', unreadable.includes('fieldSelector') || fields.partly, field.length > 0),
      ...ignoredText('labelSelector', unreadable.includes('labelSelector') || labels.partly, label.length > 0),
    ],
  };
}

function ignoredText(member: string, wasIgnored: boolean, partly: boolean): string[] {
  return wasIgnored ? [`spec.resourceAttributes.${member} ${partly ? 'partially ignored' : 'ignored'} due to parse error`] : [];
}

function understood<Requirement, Term>(
  requirements: readonly Requirement[] | null | undefined,
  read: (one: Requirement) => Term | undefined,
) {
  const all = requirements ?? [];
  const terms = all.map(read).filter((term) => term !== undefined);
  return {terms, partly: terms.length < all.length};
}

type Requirement = {readonly key?: string; readonly operator?: string; readonly values?: readonly string[] | null};

/** Fields can only be compared with one value. */
function fieldTerm({key = '', operator, values}: Requirement): FieldSelectorTerm | undefined {
  if ((operator !== 'In' && operator !== 'NotIn') || values?.length !== 1) return undefined;
  return {key, operator, values};
}

function labelTerm({key = '', operator = '', values}: Requirement): LabelSelectorTerm | undefined {
  const given = [...new Set(values ?? [])].sort();
  const faults = validateLabelRequirement({key, operator, values: given}, FieldPath.root);
  return faults.length === 0 ? {key, operator: operator as LabelSelectorTerm['operator'], values: given} : undefined;
}
