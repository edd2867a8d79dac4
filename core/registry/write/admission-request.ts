import type {AdmissionOperation, AdmissionRequest, ApiObject} from '../../../sdk/index.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import type {WriteContext} from './write-context.js';

export function admissionRequest(
  served: ServedVersion,
  operation: AdmissionOperation,
  target: ObjectTarget,
  context: WriteContext,
  object: ApiObject | undefined,
  oldObject: ApiObject | undefined,
): AdmissionRequest {
  return {
    operation,
    kind: served.version.kind,
    resource: served.version.resource,
    subresource: target.subresource,
    namespace: target.namespace,
    name: target.name,
    object,
    oldObject,
    options: context.options,
    dryRun: context.dryRun,
    user: context.user,
    warn: (text) => context.warn(text),
    annotate: (key, value) => context.annotate(key, value),
  };
}
