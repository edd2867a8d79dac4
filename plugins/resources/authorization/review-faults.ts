import {FieldPath, invalid, type FieldError, type ObjectMeta} from '../../../sdk/index.js';
import type {SelfSubjectAccessReviewSpec, SubjectAccessReviewSpec} from '../../../sdk/types/unchecked/authorization/v1.js';
import type {AccessReview} from './review-types.js';
import {selectorFaults} from './selector-faults.js';

const specPath = FieldPath.of('spec');
const metadataPath = FieldPath.of('metadata');

/** Errors in a review about the caller: it has exactly one kind of attributes and no metadata. */
export function selfReviewFaults({metadata, spec = {}}: AccessReview): FieldError[] {
  return [...questionFaults(spec), ...selectorFaults(spec), ...metadataFaults(metadata, [], 'must be empty')];
}

/** Errors in a review about a given user. */
export function subjectReviewFaults({metadata, spec = {}}: AccessReview<SubjectAccessReviewSpec>): FieldError[] {
  return [...questionFaults(spec), ...subjectFaults(spec), ...selectorFaults(spec), ...metadataFaults(metadata, [], 'must be empty')];
}

/** Errors in a review about a given user in one namespace: it can only ask about resources in that namespace. */
export function localReviewFaults({metadata, spec = {}}: AccessReview<SubjectAccessReviewSpec>, namespace: string): FieldError[] {
  const faults = [
    ...questionFaults(spec),
    ...subjectFaults(spec),
    ...selectorFaults(spec),
    ...metadataFaults(metadata, ['namespace'], 'must be empty except for namespace'),
  ];
  const {resourceAttributes, nonResourceAttributes} = spec;
  if (resourceAttributes && (resourceAttributes.namespace ?? '') !== namespace) {
    faults.push(
      invalid(specPath.child('resourceAttributes', 'namespace'), resourceAttributes.namespace ?? '', 'must match metadata.namespace'),
    );
  }
  if (nonResourceAttributes)
    faults.push(invalid(specPath.child('nonResourceAttributes'), shown(nonResourceAttributes), 'disallowed on this kind of request'));
  return faults;
}

/** As Kubernetes shows them: by the names of its own members. */
function shown({path = '', verb = ''}: NonNullable<SelfSubjectAccessReviewSpec['nonResourceAttributes']>): object {
  return {Path: path, Verb: verb};
}

function questionFaults({resourceAttributes, nonResourceAttributes}: SelfSubjectAccessReviewSpec): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    return [
      invalid(
        specPath.child('nonResourceAttributes'),
        shown(nonResourceAttributes),
        'cannot be specified in combination with resourceAttributes',
      ),
    ];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  return [
    invalid(specPath.child('resourceAttributes'), null, 'exactly one of nonResourceAttributes or resourceAttributes must be specified'),
  ];
}

function subjectFaults({user, groups}: SubjectAccessReviewSpec): FieldError[] {
  return user || groups?.length ? [] : [invalid(specPath.child('user'), '', 'at least one of user or group must be specified')];
}

function metadataFaults(metadata: ObjectMeta, allowed: readonly string[], detail: string): FieldError[] {
  const given = Object.entries(metadata).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return given.every(([member]) => allowed.includes(member)) ? [] : [invalid(metadataPath, Object.fromEntries(given), detail)];
}
