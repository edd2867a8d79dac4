import {FieldPath, required, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {isGiven, validateImmutable, validateNonNegative} from '../../../sdk/validation/index.js';
import type {ControllerRevision} from '../../../sdk/types/unchecked/apps/v1.js';

const dataPath = FieldPath.of('data');

/** ControllerRevision: an earlier state of a workload's specification, for rollbacks. */
@strategy()
export class ControllerRevisionStrategy implements ResourceStrategy<ControllerRevision> {
  validateCreate({data, revision}: ControllerRevision): FieldError[] {
    return [
      ...(isGiven(data) ? [] : [required(dataPath, 'data is mandatory')]),
      ...validateNonNegative(revision, FieldPath.of('revision')),
    ];
  }

  validateUpdate(object: ControllerRevision, old: ControllerRevision): FieldError[] {
    return [...this.validateCreate(object), ...validateImmutable(object.data, old.data, dataPath)];
  }

  tableCells({metadata, revision}: ControllerRevision): Record<string, string | number> {
    return {
      Controller: controllerText(metadata.ownerReferences ?? []),
      Revision: Number(revision ?? 0),
    };
  }
}

/** The controlling owner, as `kind.group/name`. */
function controllerText(owners: readonly {apiVersion: string; kind: string; name: string; controller?: boolean}[]): string {
  const owner = owners.find(({controller}) => controller);
  if (!owner) return '<none>';
  const [group, version] = owner.apiVersion.split('/');
  const kind = owner.kind.toLowerCase();
  return `${version === undefined ? kind : `${kind}.${group}`}/${owner.name}`;
}
