import type {ApiObject, JsonObject} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import type {ResourceTypeVersion} from './resource-type.js';

/**
 * An object in a version of a type; itself when it already is in that version. The input is not changed, and the result may
 * share parts with it. Types whose versions differ only in name need no strategy for it. A promise only for types that something outside
 * the process converts.
 *
 * @throws StatusError when it cannot be converted
 */
export function convertTo(object: ApiObject, version: ResourceTypeVersion): ApiObject | Promise<ApiObject> {
  return convertBy(object, version, version);
}

/** As `convertTo`, for many objects, in one step where something outside the process does it. All must be in other versions. */
export async function convertAllTo(objects: readonly ApiObject[], version: ResourceTypeVersion): Promise<ApiObject[]> {
  const {strategy, group} = version.type;
  if (!strategy?.convertMany) return objects.map((object) => convertAtOnce(object, version));
  return fittedTo(version, await strategy.convertMany(objects, {group, version: version.name}));
}

/** As `convertTo`, for types that are converted within the process. */
export function convertAtOnce(object: ApiObject, version: ResourceTypeVersion): ApiObject {
  return inProcess(object, version, version);
}

/**
 * A version's object in the form in which its type is stored: in the storage version and with the defaults of that. May change
 * `object` only where that is in the storage version.
 */
export async function convertToStored(object: ApiObject, version: ResourceTypeVersion): Promise<ApiObject> {
  const {storageVersion} = version.type;
  if (object.apiVersion === storageVersion.apiVersion) return object;
  const stored = await convertBy(object, storageVersion, version);
  // Strategies of built-in types answer complete objects.
  if (!storageVersion.schema.node.kubernetesSemantics) storageVersion.schema.applyDefaults(stored as unknown as JsonObject);
  return stored;
}

/**
 * As `convertTo`, from a version that the object is in, of the same type or of another one with the same objects. Of a structural schema, the
 * defaults are those of the target.
 */
export async function convertBetween(object: ApiObject, from: ResourceTypeVersion, to: ResourceTypeVersion): Promise<ApiObject> {
  if (from === to || object.apiVersion === to.apiVersion) return object;
  const isView = to.type.storageName !== to.type.qualifiedName;
  const converted = await convertBy(object, to, isView ? to : from);
  if (!to.schema.node.kubernetesSemantics) to.schema.applyDefaults(converted as unknown as JsonObject);
  return converted;
}

/** A type that is a view of another one translates in both directions. */
function convertBy(object: ApiObject, target: ResourceTypeVersion, translator: ResourceTypeVersion): ApiObject | Promise<ApiObject> {
  if (object.apiVersion === target.apiVersion) return object;
  const {convertMany} = translator.type.strategy ?? {};
  if (!convertMany) return inProcess(object, target, translator);
  return convertMany
    .call(translator.type.strategy, [object], {group: target.type.group, version: target.name})
    .then((all) => fittedTo(target, all)[0]!);
}

function inProcess(object: ApiObject, target: ResourceTypeVersion, translator: ResourceTypeVersion): ApiObject {
  if (object.apiVersion === target.apiVersion) return object;
  const {strategy} = translator.type;
  const converted = strategy?.convert?.(object, {group: target.type.group, version: target.name}) ?? object;
  const named =
    converted.apiVersion === target.apiVersion ? converted : {...converted, apiVersion: target.apiVersion, kind: target.type.kind};
  return target.schema.node.kubernetesSemantics ? named : fittedTo(target, [cloneJson(named)])[0]!;
}

/**
 * Drops what is no part of the version's schema from objects that were not made for it: versions need not have the same fields, and
 * what a client reads it must be able to write back. The objects are the caller's own.
 */
function fittedTo(version: ResourceTypeVersion, objects: readonly ApiObject[]): ApiObject[] {
  for (const object of objects) version.schema.decode(object as unknown as JsonObject, {unknown: []});
  return [...objects];
}
