import type {ApiObject, JsonObject} from '../../../sdk/index.js';
import {cloneJson} from '../json/clone-json.js';
import type {ResourceTypeVersion} from './resource-type.js';

/**
 * Converts an object to a version of a type; returns the object itself if it already is in that version. The input is not modified, and the
 * result may share parts with it. Types whose versions differ only in name need no strategy. Returns a promise only for types with an
 * external converter.
 *
 * @throws StatusError if it cannot be converted
 */
export function convertTo(object: ApiObject, version: ResourceTypeVersion): ApiObject | Promise<ApiObject> {
  return convertBy(object, version, version);
}

/** Like `convertTo` for many objects, in one call of an external converter. All must be in other versions. */
export async function convertAllTo(objects: readonly ApiObject[], version: ResourceTypeVersion): Promise<ApiObject[]> {
  const {strategy, group} = version.type;
  if (!strategy?.convertMany) return objects.map((object) => convertAtOnce(object, version));
  return fittedTo(version, await strategy.convertMany(objects, {group, version: version.name}));
}

/** Like `convertTo`, for types that are converted within the process. */
export function convertAtOnce(object: ApiObject, version: ResourceTypeVersion): ApiObject {
  return inProcess(object, version, version);
}

/**
 * Converts an object to the form in which its type is stored: the storage version with its defaults. May modify `object`, but only if it is
 * in the storage version.
 */
export function convertToStored(object: ApiObject, version: ResourceTypeVersion): ApiObject | Promise<ApiObject> {
  return object.apiVersion === version.type.storageVersion.apiVersion ? object : convertOther(object, version);
}

async function convertOther(object: ApiObject, version: ResourceTypeVersion): Promise<ApiObject> {
  const {storageVersion} = version.type;
  const stored = await convertBy(object, storageVersion, version);
  // Strategies of built-in types return complete objects.
  if (storageVersion.schema.node.kubernetesSemantics) return stored;
  // What is converted may share parts with the object that it was made of.
  const own = cloneJson(stored);
  storageVersion.schema.applyDefaults(own as unknown as JsonObject);
  version.type.strategy?.applyDefaults?.(own);
  return own;
}

/**
 * Like `convertTo`, from the object's version to one of the same type or of another type with the same objects. For a structural schema,
 * the defaults are those of the target.
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
 * Drops members that are not in the version's schema from objects that were converted to it: versions need not have the same fields, and
 * clients must be able to write back what they read. The caller owns the objects.
 */
function fittedTo(version: ResourceTypeVersion, objects: readonly ApiObject[]): ApiObject[] {
  for (const object of objects) version.schema.decode(object as unknown as JsonObject, {unknown: []});
  return [...objects];
}
