import {FieldPath, forbiddenField, required, type FieldError} from '../../../../sdk/index.js';
import {validateAnnotations, validateLabels} from '../../../../sdk/labels/index.js';
import {validateImmutable} from '../../../../sdk/validation/index.js';
import type {ResourceClaimTemplate} from '../../../../sdk/types/unchecked/resource/v1alpha1.js';
import {claimSpecFaults} from './claim-spec-rules.js';

type Spec = NonNullable<ResourceClaimTemplate['spec']>;

const specPath = FieldPath.of('spec');
const metadataPath = specPath.child('metadata');
const claimPath = specPath.child('spec');
const allowed = new Set(['labels', 'annotations']);

/**
 * Templates for claims as they were until 1.30. Their `spec` is immutable; of `spec.metadata`, only labels and annotations are copied to the
 * claims (docs/semantics/types.md#resourceclaimtemplate).
 */
export class ClassicTemplates {
  validateCreate({spec = {}}: ResourceClaimTemplate): FieldError[] {
    return [...templateMetadataFaults(spec.metadata ?? {}), ...claimFaults(spec)];
  }

  validateUpdate(object: ResourceClaimTemplate, old: ResourceClaimTemplate): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.spec, old.spec, specPath)];
  }
}

/** Errors in what a template says about the metadata of its claims. */
export function templateMetadataFaults(metadata: NonNullable<Spec['metadata']>): FieldError[] {
  const others = presentMembers(metadata).filter((member) => !allowed.has(member));
  return [
    ...validateLabels(metadata.labels, metadataPath.child('labels')),
    ...validateAnnotations(metadata.annotations, metadataPath.child('annotations')),
    ...others.map((member) => forbiddenField(metadataPath.child(member), 'cannot be set')),
  ];
}

/** A missing structure is equivalent to an empty one: the error names the outermost empty one. */
function claimFaults({metadata = {}, spec = {}}: Spec): FieldError[] {
  const saysNothing = !spec.resourceClassName && !spec.parametersRef;
  if (!saysNothing) return claimSpecFaults(spec, claimPath);
  return [required(presentMembers(metadata).length === 0 ? specPath : claimPath), ...claimSpecFaults(spec, claimPath)];
}

function presentMembers(object: object): string[] {
  return Object.entries(object).flatMap(([member, value]) => (value === undefined || value === null ? [] : [member]));
}
