import type {Logger, ObjectCache} from '../../../../sdk/index.js';
import {CacheInformer, splitObjectKey} from '../../../../sdk/controllers/index.js';
import {compileSelector} from '../../../../sdk/labels/index.js';
import type {Pod} from '../../../../sdk/types/unchecked/core/v1.js';
import type {StagedBehaviour} from '../behaviour/behaviour.js';
import {stageType, type Stage, type StageStep} from './stage-type.js';

/** A Stage, prepared for being asked about pods. */
interface KnownStage {
  readonly name: string;
  readonly priority: number;
  readonly behaviour: StagedBehaviour | undefined;
  readonly replacesBuiltIn: boolean;
  readonly steps: readonly StageStep[];
  readonly selects: (pod: Pod, nodeLabels: Readonly<Record<string, string>>) => boolean;
}

/** What the Stages of a pod say together, the most important first. */
export interface PodStages {
  readonly behaviours: readonly StagedBehaviour[];
  readonly replacesBuiltIn: boolean;
  /** With names that no other has. */
  readonly steps: readonly {readonly id: string; readonly step: StageStep}[];
}

const none: PodStages = {behaviours: [], replacesBuiltIn: false, steps: []};

/** The Stages that there are. */
export class StageBook {
  readonly #stages = new Map<string, KnownStage>();
  #ordered: readonly KnownStage[] = [];
  readonly #informer: CacheInformer<Stage>;
  readonly #changed: () => void;

  /** @param changed a Stage has come, changed or gone. Called while the change is applied */
  constructor(cache: ObjectCache, logger: Logger, changed: () => void) {
    this.#changed = changed;
    this.#informer = new CacheInformer<Stage>(cache, stageType, {
      changed: (key) => this.#look(splitObjectKey(key)[1]),
      deleted: (key) => this.#put(splitObjectKey(key)[1], undefined),
      failed: (key, err) => logger.warn({key, err}, 'a stage cannot be read'),
    });
  }

  /** Resolves when all Stages that exist are known. */
  start(signal: AbortSignal): Promise<void> {
    return this.#informer.start(signal);
  }

  /** What Stages say of a pod on a node. */
  of(pod: Pod, nodeLabels: Readonly<Record<string, string>>): PodStages {
    if (this.#ordered.length === 0) return none;
    const selected = this.#ordered.filter(({selects}) => selects(pod, nodeLabels));
    return {
      behaviours: selected.flatMap(({behaviour}) => (behaviour ? [behaviour] : [])),
      replacesBuiltIn: selected.some(({replacesBuiltIn}) => replacesBuiltIn),
      steps: selected.flatMap(({name, steps}) => steps.map((step, index) => ({id: `${name}/${index}`, step}))),
    };
  }

  #look(name: string): void {
    const stage = this.#informer.get(name);
    // Nobody converts Stages.
    if (stage instanceof Promise) return;
    this.#put(name, stage && knownStage(name, stage));
  }

  #put(name: string, stage: KnownStage | undefined): void {
    if (stage) this.#stages.set(name, stage);
    else this.#stages.delete(name);
    this.#ordered = [...this.#stages.values()].toSorted(
      (left, right) => right.priority - left.priority || (left.name < right.name ? -1 : 1),
    );
    this.#changed();
  }
}

function knownStage(name: string, {spec = {}}: Readonly<Stage>): KnownStage {
  const {priority = 0, selector, namespaces, nodeSelector = {}, images, behaviour, replacesBuiltIn = false, steps = []} = spec;
  const matches = selector ? compileSelector(selector) : () => true;
  const ofNode = Object.entries(nodeSelector);
  return {
    name,
    priority,
    behaviour: behaviour && {words: behaviour, ...(images ? {isForImage: imagePredicate(images)} : {})},
    replacesBuiltIn,
    steps,
    selects: ({metadata}, labels) =>
      (namespaces === undefined || namespaces.includes(metadata.namespace ?? '')) &&
      matches(metadata.labels ?? {}) &&
      ofNode.every(([key, value]) => labels[key] === value),
  };
}

/** Whether an image is one of some, in which `*` stands for anything. */
function imagePredicate(images: readonly string[]): (image: string) => boolean {
  const parts = images.map((image) => image.split('*'));
  return (image) => parts.some((each) => matchesParts(image, each));
}

function matchesParts(text: string, parts: readonly string[]): boolean {
  const [first = '', ...rest] = parts;
  if (rest.length === 0) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  const last = rest.pop()!;
  for (const part of rest) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
