import {stat} from 'node:fs/promises';
import {isAbsolute} from 'node:path';
import type {ApiObject, FeatureGates, JsonValue, Logger, Metrics, NamingProfile, ResourceClient} from '../../../sdk/index.js';
import {folderMark} from './manifest-files.js';
import {ManifestFigures} from './manifest-figures.js';
import {readManifests, type ManifestKinds} from './read-manifests.js';

/** How often the folder is looked at, in milliseconds. */
const lookMillis = 1000;

export interface ManifestParts {
  readonly resources: ResourceClient;
  readonly naming: NamingProfile;
  readonly metrics: Metrics;
  readonly logger: Logger;
}

export interface ManifestUse {
  /** Name of the admission controller. */
  readonly plugin: string;
  readonly kinds: ManifestKinds;
  /** Puts the objects into force, all at once. What it throws keeps those before. */
  use(objects: ReadonlyMap<string, readonly ApiObject[]>): void | Promise<void>;
}

/**
 * Checks the member `staticManifestsDir` of the configuration of an admission controller.
 *
 * @returns the folder; undefined without one
 * @throws Error in the words of Kubernetes
 */
export async function staticFolder(given: JsonValue | undefined, gates: FeatureGates): Promise<string | undefined> {
  if (given === undefined || given === null || given === '') return undefined;
  const refuse = (what: string) => new Error(`staticManifestsDir: ${what}`);
  if (!gates.enabled('ManifestBasedAdmissionControlConfig'))
    throw refuse('Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled');
  const shown = `Invalid value: ${JSON.stringify(given)}`;
  if (typeof given !== 'string' || !isAbsolute(given)) throw refuse(`${shown}: must be an absolute file path`);
  let isFolder;
  try {
    isFolder = (await stat(given)).isDirectory();
  } catch (error) {
    throw refuse(`${shown}: unable to read: ${(error as Error).message}`);
  }
  if (!isFolder) throw refuse(`${shown}: must be a directory`);
  return given;
}

/**
 * Admission configurations from the files of a folder (gate `ManifestBasedAdmissionControlConfig`). They are read at the start, which fails if they cannot be used, and whenever
 * something in the folder changes; then what was in force stays until all is well.
 */
export class StaticManifests {
  readonly #folder: string;
  readonly #use: ManifestUse;
  readonly #parts: ManifestParts;
  readonly #figures: ManifestFigures;
  #mark = '';
  #hash = '';
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;

  constructor(folder: string, use: ManifestUse, parts: ManifestParts) {
    this.#folder = folder;
    this.#use = use;
    this.#parts = parts;
    this.#figures = new ManifestFigures(parts.metrics, use.plugin);
  }

  /** @throws Error with what is wrong with the files */
  async start(subject: string): Promise<void> {
    this.#mark = await folderMark(this.#folder);
    try {
      await this.#load();
    } catch (error) {
      throw new Error(`failed to load static ${subject} manifests from ${JSON.stringify(this.#folder)}: ${(error as Error).message}`, {
        cause: error,
      });
    }
    this.#timer = setInterval(() => {
      this.#looking ??= this.#look().finally(() => (this.#looking = undefined));
    }, lookMillis).unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#looking;
  }

  async #look(): Promise<void> {
    // Before the files are read, so that a change during the read is seen.
    const mark = await folderMark(this.#folder);
    if (mark === this.#mark || this.#timer === undefined) return;
    this.#mark = mark;
    try {
      if (await this.#load()) this.#parts.logger.info({folder: this.#folder}, 'admission manifests have been read again');
    } catch (error) {
      this.#figures.read(undefined);
      this.#parts.logger.error({err: error, folder: this.#folder}, 'admission manifests cannot be used; those before stay in force');
    }
  }

  /** @returns whether they are other ones than before */
  async #load(): Promise<boolean> {
    const {resources, naming} = this.#parts;
    const {objects, hash} = await readManifests(this.#folder, this.#use.kinds, resources, naming);
    if (hash === this.#hash && this.#timer !== undefined) return false;
    await this.#use.use(objects);
    this.#hash = hash;
    this.#figures.read(hash);
    return true;
  }
}
