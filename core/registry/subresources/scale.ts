import {
  badRequest,
  conflict,
  FieldPath,
  invalid,
  invalidObject,
  notFound,
  type ApiObject,
  type FieldError,
  type JsonObject,
  type JsonValue,
  type ObjectMeta,
  type SubresourceDefinition,
} from '../../../sdk/index.js';
import {isEmptySelector, selectorText, type LabelSelector} from '../../../sdk/labels/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {isJsonObject} from '../../api/json/is-json-object.js';
import {setMember} from '../../api/json/set-member.js';
import {validateObjectMeta} from '../../api/metadata/validate-object-meta.js';
import {errorTarget, type ServedVersion} from '../served-version.js';

/** Placeholder in the `Scale` that a patch is applied to, if the object has no replicas: no client can send this number. */
const noReplicas = -(2 ** 31);

/**
 * The `Scale` of an object: the desired and actual replicas, and their selector (docs/semantics/writes.md#scale).
 *
 * @throws 404 for an object without a desired number of replicas
 */
export function scaleOf(served: ServedVersion, object: ApiObject, definition: SubresourceDefinition): ApiObject {
  const wanted = wantedReplicas(object, definition);
  if (wanted === undefined) throw notFound(errorTarget(served, `${object.metadata.name ?? ''}/scale`));
  return makeScale(object, wanted, definition);
}

/** The target of a patch of a `Scale`: a patch can set replicas on an object that has none. */
export function scaleToChange(object: ApiObject, definition: SubresourceDefinition): ApiObject {
  return makeScale(object, wantedReplicas(object, definition) ?? noReplicas, definition);
}

/** The `Scale` that admission sees: zero desired replicas if the object has no number. */
export function scaleToAdmit(object: ApiObject, definition: SubresourceDefinition): ApiObject {
  return makeScale(object, wantedReplicas(object, definition) ?? 0, definition);
}

function wantedReplicas(object: ApiObject, definition: SubresourceDefinition): number | undefined {
  const wanted = valueAt(object, pathOf(definition));
  return typeof wanted === 'number' ? wanted : undefined;
}

function makeScale(object: ApiObject, wanted: number, definition: SubresourceDefinition): ApiObject {
  const actual = valueAt(object, definition.statusReplicasPath ?? '.status.replicas');
  const selector = textOfSelector(definition.labelSelectorPath === undefined ? undefined : valueAt(object, definition.labelSelectorPath));
  const {name, namespace, uid, resourceVersion, creationTimestamp} = object.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {name, ...(namespace ? {namespace} : {}), uid, resourceVersion, creationTimestamp},
    spec: wanted === 0 ? {} : {replicas: wanted},
    status: {replicas: typeof actual === 'number' ? actual : 0, ...(selector === '' ? {} : {selector})},
  };
}

/**
 * The object with the replicas of a `Scale`, whose version it takes over. Of a custom resource the Scale itself and its uid are not judged, but the object that
 * results from it, as in Kubernetes.
 *
 * @throws 400 if a patch sets no replicas on an object without any, 409 for the uid of another object, 422 for an invalid number
 */
export function withScale(served: ServedVersion, object: ApiObject, scale: ApiObject, definition: SubresourceDefinition): ApiObject {
  const replicas = ((scale['spec'] ?? {}) as JsonObject)['replicas'] ?? 0;
  if (replicas === noReplicas) throw badRequest(`the spec replicas field "${pathOf(definition)}" cannot be empty`);
  if (served.type.origin !== 'custom') {
    checkScale(scale.metadata, replicas);
    checkUid(served, object, scale.metadata.uid);
  }
  const result = cloneJson(object);
  const members = membersOf(pathOf(definition));
  const last = members.pop()!;
  let target = result as unknown as JsonObject;
  for (const member of members) {
    const next = Object.hasOwn(target, member) ? target[member] : undefined;
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) target = next;
    else {
      const made: JsonObject = {};
      setMember(target, member, made);
      target = made;
    }
  }
  setMember(target, last, replicas);
  if (scale.metadata.resourceVersion) result.metadata.resourceVersion = scale.metadata.resourceVersion;
  else delete result.metadata.resourceVersion;
  return result;
}

/** The fields of the object itself that an applied `Scale` sets. @throws 422 for an invalid number */
export function scaleConfiguration({version, type}: ServedVersion, scale: JsonObject, definition: SubresourceDefinition): JsonObject {
  const {name, namespace, uid, resourceVersion} = scale['metadata'] as JsonObject;
  const metadata = {
    ...(name ? {name} : {}),
    ...(namespace ? {namespace} : {}),
    ...(uid ? {uid} : {}),
    ...(resourceVersion ? {resourceVersion} : {}),
  };
  const config: JsonObject = {apiVersion: version.apiVersion, kind: version.kind.kind, metadata};
  const replicas = ((scale['spec'] ?? {}) as JsonObject)['replicas'];
  if (replicas === undefined || replicas === null) return config;
  if (type.origin !== 'custom') checkReplicas(replicas, String(name));
  const [first, ...others] = membersOf(pathOf(definition));
  setMember(
    config,
    first!,
    others.reduceRight<JsonValue>((value, member) => ({[member]: value}), replicas),
  );
  return config;
}

/** @throws 409 for a Scale that names the uid of another object */
function checkUid({type}: ServedVersion, {metadata}: ApiObject, uid = ''): void {
  if (uid === '' || uid === metadata.uid) return;
  const problem = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`;
  throw conflict({group: type.group, resource: `${type.plural}/scale`, name: metadata.name ?? ''}, problem);
}

/** A Scale has metadata like any object, though none of it is kept. */
function checkScale(metadata: ObjectMeta, replicas: JsonValue): void {
  const rules = {namespaced: Boolean(metadata.namespace), nameFormat: 'dns-subdomain'} as const;
  const faults = [...validateObjectMeta(metadata, rules, FieldPath.of('metadata')), ...replicasFaults(replicas)];
  if (faults.length > 0) throw invalidObject({group: 'autoscaling', kind: 'Scale'}, metadata.name ?? '', faults);
}

function replicasFaults(replicas: JsonValue): FieldError[] {
  if (typeof replicas === 'number' && replicas >= 0 && Number.isInteger(replicas)) return [];
  return [invalid(FieldPath.of('spec', 'replicas'), replicas, 'must be greater than or equal to 0')];
}

function checkReplicas(replicas: JsonValue, name: string): void {
  const faults = replicasFaults(replicas);
  if (faults.length > 0) throw invalidObject({group: 'autoscaling', kind: 'Scale'}, name, faults);
}

function pathOf({specReplicasPath}: SubresourceDefinition): string {
  return specReplicasPath ?? '.spec.replicas';
}

function membersOf(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

function valueAt(object: ApiObject, path: string): unknown {
  let value: unknown = object;
  for (const member of membersOf(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined;
    value = (value as Record<string, unknown>)[member];
  }
  return value;
}

/** A selector is a string (custom resources), a label selector (workloads) or a map of labels (replication controllers). */
function textOfSelector(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const {matchLabels = {}, matchExpressions = []} =
    'matchLabels' in selector || 'matchExpressions' in selector ? selector : {matchLabels: selector};
  // A custom resource may have any value there.
  if (!isJsonObject(matchLabels) || !Array.isArray(matchExpressions) || !matchExpressions.every(isJsonObject)) return '';
  const labels = {matchLabels, matchExpressions} as LabelSelector;
  return isEmptySelector(labels) ? '' : selectorText(labels);
}
