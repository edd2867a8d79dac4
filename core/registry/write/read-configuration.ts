import {apiVersionOf, badRequest, type JsonObject, type JsonValue} from '../../../sdk/index.js';
import type {FieldPathElements} from '../../api/apply/fields/field-set.js';
import {pathText} from '../../api/apply/fields/path-element.js';
import {configurationFaults} from '../../api/apply/typed/configuration-faults.js';
import {MergeSchema} from '../../api/apply/typed/merge-schema.js';
import {noObjectText} from '../../api/schema/go-words/mismatch.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {isJsonObject} from '../../api/json/is-json-object.js';
import {decodeObject, repetitionTexts, type DecodeTarget} from './decode-object.js';
import type {ServedVersion, ObjectTarget} from '../served-version.js';
import type {MayCreate} from './changed-object.js';
import {cutText} from '../value-text.js';
import {scaleConfiguration} from '../subresources/scale.js';
import type {DecodedBody, WriteContext} from '../request-context.js';

/** A request to apply. */
export interface ApplyRequest {
  readonly body: DecodedBody;
  /** Requirements for the body. */
  readonly shape: DecodeTarget;
  /** Takes ownership of fields of other managers. */
  readonly force: boolean;
  /** Creates a missing object; called before that happens, to check the permission to create. Undefined if it cannot be created. */
  readonly mayCreate?: MayCreate | undefined;
}

/** The configuration to apply to the object itself. */
export interface Configuration {
  /** As it was sent, including nulls, empty values and unknown fields. */
  readonly config: JsonObject;
  /** The name by which the client knows a field. */
  readonly textOf: (path: FieldPathElements) => string;
  /** The version in which the client knows the fields of others; undefined for the one in which these have written. */
  readonly apiVersion?: string;
}

/** Checks the body of an apply. @throws 400 for any error in it, 422 for values that do not have the types of a structural schema */
export async function readConfiguration(
  served: ServedVersion,
  target: Pick<ObjectTarget, 'subresource'>,
  {body, shape}: ApplyRequest,
  context: WriteContext,
): Promise<Configuration> {
  const value = body.value ?? {};
  if (!isJsonObject(value))
    throw badRequest(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${noObjectText(value as JsonValue)}`);
  checkType(shape.kind, value);
  const metadata = isJsonObject(value['metadata']) ? value['metadata'] : {};
  if (metadata['managedFields'] !== undefined && metadata['managedFields'] !== null) throw badRequest('metadata.managedFields must be nil');
  const part = {kind: shape.kind, schema: shape.schema, acceptedVersions: shape.acceptedVersions ?? [], isPartial: true};
  // Unknown fields are rejected below, whatever the field validation.
  if (context.task.isDue) await context.task.yield();
  const copy: JsonValue = cloneJson(value);
  if (context.task.isDue) await context.task.yield();
  const decoded = decodeObject({value: copy, duplicates: []}, part, {...context, fieldValidation: 'Ignore'});
  if (context.task.isDue) await context.task.yield();
  const faults = configurationFaults(MergeSchema.of(shape.schema.node), value);
  if (faults.length > 0) {
    const {name = '', namespace = ''} = decoded.metadata;
    const object = `${namespace}/${name}; ${shape.kind.group}/${shape.kind.version}, Kind=${shape.kind.kind}`;
    throw badRequest(`failed to create typed patch object (${object}): ${faults.join(', ')}`);
  }
  if (context.task.isDue) await context.task.yield();
  if (target.subresource === 'scale') {
    const definition = served.version.subresources['scale'] ?? {};
    return {config: scaleConfiguration(served, value, definition), textOf: () => '.spec.replicas', apiVersion: apiVersionOf(shape.kind)};
  }
  return {config: {...value, metadata}, textOf: pathText};
}

/** What is wrong with a configuration that could be applied: Kubernetes looks for it last. @throws 400 under Strict */
export function reportRepetitions(body: DecodedBody, context: WriteContext): void {
  const {warnings, errors} = repetitionTexts(body);
  if (warnings.length === 0 || context.fieldValidation === 'Ignore') return;
  if (context.fieldValidation === 'Strict')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: ${errors.join(', ')}`);
  for (const warning of warnings) context.warn(warning);
}

function checkType(kind: {group: string; version: string; kind: string}, {apiVersion, kind: given}: JsonObject): void {
  const expected = apiVersionOf(kind);
  if (apiVersion === expected && given === kind.kind) return;
  const version = typeof apiVersion === 'string' ? apiVersion : '';
  if (version.split('/').length > 2) throw badRequest('invalid object type: /, Kind=');
  const group = version.includes('/') ? version.split('/', 1)[0] : '';
  if (group !== kind.group || given !== kind.kind)
    throw badRequest(
      `invalid object type: ${cutText(group === '' ? `/${version}` : version)}, Kind=${cutText(typeof given === 'string' ? given : '')}`,
    );
  throw badRequest(`Incorrect version specified in apply patch. Specified patch version: ${cutText(version)}, expected: ${expected}`);
}

/** The name of what an apply makes: that of its configuration, or of the object that is there. @throws 400 for another one than the path has */
export function checkName({type}: ServedVersion, target: ObjectTarget, {config}: Configuration, exists: boolean): void {
  const {name = exists ? target.name : undefined, namespace} = config['metadata'] as {name?: string; namespace?: string};
  if (!name) throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  if (name !== target.name) throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  if (type.namespaced && namespace && namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
}
