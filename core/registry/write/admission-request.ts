import type {AdmissionOperation, AdmissionRequest, ApiObject, GroupVersionKind} from '../../../sdk/index.js';
import type {ObjectTarget, ServedVersion} from '../served-version.js';
import type {WriteContext} from '../request-context.js';

/** The kind of the options that admission sees, by operation. A PATCH has those of the create or update that it comes to. */
const optionsKinds = {CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions', CONNECT: undefined} as const;

/** What an admission request is made of besides the object, which changes on its way. */
interface Admitted {
  readonly served: ServedVersion;
  readonly target: ObjectTarget;
  readonly context: WriteContext;
  /** Kind of the bodies, where that is not the type's. */
  readonly kind?: GroupVersionKind;
  readonly oldObject?: ApiObject | undefined;
  /** Further options of this operation. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/**
 * A write as admission controllers see it.
 *
 * @param write has the object, which a later step may replace
 */
export function admissionRequest(
  operation: AdmissionOperation,
  {served, target, context, kind, oldObject, options}: Admitted,
  write: {readonly object: ApiObject | undefined},
): AdmissionRequest {
  const {version} = served;
  const optionsKind = optionsKinds[operation];
  return {
    operation,
    kind: kind ?? version.kind,
    resource: version.resource,
    subresource: target.subresource,
    namespace: target.namespace,
    get name() {
      return target.name || (write.object?.metadata?.name ?? '');
    },
    get object() {
      return write.object;
    },
    oldObject,
    options: optionsKind
      ? {
          kind: optionsKind,
          apiVersion: served.optionsVersion,
          ...(context.dryRun ? {dryRun: ['All']} : {}),
          ...context.given,
          ...options,
        }
      : {},
    dryRun: context.dryRun,
    user: context.user,
    warn: (text) => context.warn(text),
    annotate: (key, value) => context.annotate(key, value),
  };
}
