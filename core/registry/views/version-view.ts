import {internalError, type ApiObject, type JsonObject} from '../../../sdk/index.js';
import {cloneJson} from '../../api/json/clone-json.js';
import {equalJson} from '../../../sdk/values/equal-json.js';
import {convertAllTo, convertAtOnce} from '../../api/types/convert.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import type {CachedObject} from '../../storage/cache/cached-object.js';
import type {ObjectView} from '../../storage/read/object-view.js';
import {ConvertedObject} from './converted-object.js';

/** Bytes of stored objects that are converted outside the process in one step; more would take too long and too much memory. */
const maximumPartBytes = 2 * 1024 * 1024;

/**
 * The stored objects of a type as requests in one version see them: with defaults that the schema has gained since they were written,
 * without fields that it has lost, and converted. If an object is stored in exactly that form, its bytes are used unchanged.
 */
export class VersionView implements ObjectView {
  /** Expensive results, kept as long as the stored object is in memory. */
  readonly #made = new WeakMap<CachedObject, CachedObject>();
  readonly #underway = new WeakMap<CachedObject, Promise<void>>();
  readonly #version: ResourceTypeVersion;
  readonly #findVersion: (apiVersion: string) => ResourceTypeVersion | undefined;

  constructor(version: ResourceTypeVersion, findVersion: (apiVersion: string) => ResourceTypeVersion | undefined) {
    this.#version = version;
    this.#findVersion = findVersion;
  }

  /** Whether objects are converted outside the process and must be prepared before they can be read. */
  get convertsOutOfProcess(): boolean {
    const {type} = this.#version;
    // Built-in types with one version need no conversion, so their code is not loaded to find out.
    return (type.versions.length > 1 || type.origin === 'custom') && type.strategy?.convertMany !== undefined;
  }

  isReady(object: CachedObject): boolean {
    return !this.convertsOutOfProcess || object.beginsWith(this.#version.storedPrefix) || this.#made.has(object);
  }

  prepare(objects: readonly CachedObject[]): Promise<void> | undefined {
    if (!this.convertsOutOfProcess) return undefined;
    const missing = objects.filter((object) => !this.isReady(object));
    return missing.length === 0 ? undefined : this.#convert(missing);
  }

  convertedNow(object: CachedObject): CachedObject {
    const version = this.#version;
    const isInVersion = object.beginsWith(version.storedPrefix);
    if (isInVersion && object.schemaMark === version.schemaMark) return object;
    const made = this.#made.get(object);
    if (made) return made;
    const stored = this.#upToDate(object);
    if (isInVersion) {
      const shown = stored === object.object() ? object : new ConvertedObject(object, stored, version).pack();
      this.#made.set(object, shown);
      return shown;
    }
    if (this.convertsOutOfProcess) throw internalError(`${object.key} was not prepared to be seen as ${version.apiVersion}`);
    return new ConvertedObject(object, convertAtOnce(stored, version), version);
  }

  /** One object, prepared if necessary. */
  converted(object: CachedObject): CachedObject | Promise<CachedObject> {
    const preparing = this.prepare([object]);
    return preparing ? preparing.then(() => this.convertedNow(object)) : this.convertedNow(object);
  }

  /**
   * The form in which selectors without their own view compare fields. Versions of custom resources without conversion have the same fields
   * in the same places, though not necessarily all of them: any version shows what the stored version has.
   */
  forSelectors(object: CachedObject): ApiObject {
    if (!this.isReady(object)) return object.object();
    return this.#version.type.origin === 'custom' && !this.convertsOutOfProcess
      ? this.#upToDate(object)
      : this.convertedNow(object).object();
  }

  /** Whether writing the object back as it is seen would leave the store unchanged. */
  isStoredAsConverted(object: CachedObject): boolean {
    const {storageVersion} = this.#version.type;
    return (
      !object.stale &&
      object.beginsWith(storageVersion.storedPrefix) &&
      (object.schemaMark === storageVersion.schemaMark || this.#upToDate(object) === object.object())
    );
  }

  async #convert(missing: readonly CachedObject[]): Promise<void> {
    const own = missing.filter((object) => !this.#underway.has(object));
    const others = new Set(missing.map((object) => this.#underway.get(object)).filter((promise) => promise !== undefined));
    if (own.length > 0) {
      const work = this.#make(own).finally(() => own.forEach((object) => this.#underway.delete(object)));
      for (const object of own) this.#underway.set(object, work);
      others.add(work);
    }
    await Promise.all(others);
  }

  async #make(objects: readonly CachedObject[]): Promise<void> {
    for (const part of parts(objects)) {
      const converted = await convertAllTo(
        part.map((object) => this.#upToDate(object)),
        this.#version,
      );
      for (const [index, object] of part.entries())
        this.#made.set(object, new ConvertedObject(object, converted[index]!, this.#version).pack());
    }
  }

  /** The object in its storage version, in the current form of that version. Shared; must not be modified. */
  #upToDate(cached: CachedObject): ApiObject {
    const stored = cached.object();
    const version = this.#findVersion(stored.apiVersion ?? '');
    if (!version || cached.schemaMark === version.schemaMark) return stored;
    const object = cloneJson(stored);
    version.schema.decode(object as unknown as JsonObject, {unknown: []});
    version.schema.fillDefaults(object as unknown as JsonObject);
    version.type.strategy?.applyDefaults?.(object);
    return equalJson(object, stored) ? stored : object;
  }
}

/** The objects in order, in batches of at most this many bytes; a single object may be larger. */
function* parts(objects: readonly CachedObject[]): Generator<readonly CachedObject[]> {
  let start = 0;
  let bytes = 0;
  for (const [position, object] of objects.entries()) {
    if (position > start && bytes + object.bytes.length > maximumPartBytes) {
      yield objects.slice(start, position);
      [start, bytes] = [position, 0];
    }
    bytes += object.bytes.length;
  }
  if (start < objects.length) yield objects.slice(start);
}
