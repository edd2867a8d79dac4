import {FieldPath, required, strategy, type FieldError, type ResourceStrategy} from '../../../sdk/index.js';
import {isGiven, validateImmutable, validateNonNegative} from '../../../sdk/validation/index.js';
import type {ControllerRevision} from '../../../sdk/types/unchecked/apps/v1.js';

const dataPath = FieldPath.of('data');
const revisionPath = FieldPath.of('revision');

/** ControllerRevision: an earlier state of a workload's specification, for rollbacks. */
@strategy()
export class ControllerRevisionStrategy implements ResourceStrategy<ControllerRevision> {
  validateCreate({data, revision}: ControllerRevision): FieldError[] {
    return [...dataFaults(data), ...validateNonNegative(revision, revisionPath)];
  }

  validateUpdate(object: ControllerRevision, old: ControllerRevision): FieldError[] {
    return [...validateNonNegative(object.revision, revisionPath), ...validateImmutable(object.data, old.data, dataPath)];
  }

  tableCells({metadata, revision}: ControllerRevision): Record<string, string | number> {
    return {
      Controller: controllerText(metadata.ownerReferences ?? []),
      Revision: Number(revision ?? 0),
    };
  }
}

function dataFaults(data: unknown): FieldError[] {
  if (!isGiven(data)) return [required(dataPath, 'data is mandatory')];
  return typeof data === 'object' && !Array.isArray(data) ? [] : [required(dataPath, 'data must be a valid JSON object')];
}

/** The controlling owner, as `kind.group/name`. */
function controllerText(owners: readonly {apiVersion: string; kind: string; name: string; controller?: boolean}[]): string {
  const owner = owners.find(({controller}) => controller);
  if (!owner) return '<none>';
  const [group, version] = owner.apiVersion.split('/');
  const kind = owner.kind.toLowerCase();
  return `${version === undefined ? kind : `${kind}.${group}`}/${owner.name}`;
}
