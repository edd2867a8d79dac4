import {durationMillis} from '../../../../sdk/index.js';

/** What is said about a pod or one of its containers, in annotations and in Stages. */
export const words = [
  'pull',
  'image-error',
  'start',
  'startup',
  'ready',
  'after',
  'exit-code',
  'reason',
  'message',
  'terminate',
  'terminate-code',
  'evict',
  'log',
  'exec-output',
  'exec-code',
  'serve',
  'cpu',
  'memory',
] as const;

export type Word = (typeof words)[number];

/** Annotations that say how a pod behaves: `simulate.orch/WORD`, or `simulate.orch/CONTAINER.WORD` for one container. */
export const wordPrefix = 'simulate.orch/';

/** How something behaves by default; words that are missing have no effect. */
export type Defaults = Readonly<Partial<Record<Word, string>>>;

/** What a Stage says of how pods behave. */
export interface StagedBehaviour {
  readonly words: Defaults;
  /** Whether it is for containers with an image; absent if it is for pods whatever their images are. */
  readonly isForImage?: (image: string) => boolean;
}

const never = 'never';
/** Of `startup` and `ready`: when the first probe is sent, by its `initialDelaySeconds`. */
export const firstProbe = 'probe';
const mostCodes = 1000;

/** How a pod behaves: what its annotations say, else what Stages say, else the default. */
export class Behaviour {
  readonly #given: Readonly<Record<string, string>>;
  readonly #stages: readonly StagedBehaviour[];
  readonly #defaults: Defaults;
  readonly #seed: string;

  /** @param seed what jitter depends on, so that it is the same whenever it is asked for */
  constructor(annotations: Readonly<Record<string, string>>, stages: readonly StagedBehaviour[], defaults: Defaults, seed: string) {
    this.#given = annotations;
    this.#stages = stages;
    this.#defaults = defaults;
    this.#seed = seed;
  }

  /** What is said of the pod as a whole. */
  text(word: Word): string | undefined {
    return this.#said(word) ?? this.#defaults[word];
  }

  #said(word: Word, image?: string): string | undefined {
    return this.#given[wordPrefix + word] ?? this.#staged(word, (isForImage) => !isForImage || (image !== undefined && isForImage(image)));
  }

  /** What the first Stage says of which this is so. */
  #staged(word: Word, isMeant: (isForImage: StagedBehaviour['isForImage']) => boolean): string | undefined {
    return this.#stages.find(({words: said, isForImage}) => said[word] !== undefined && isMeant(isForImage))?.words[word];
  }

  /** Milliseconds that something takes; undefined for what is not said, is no duration, or never happens. */
  millis(word: Word, occasion = 0): number | undefined {
    return this.#duration(this.text(word), `${word} ${occasion}`);
  }

  /**
   * How one of its containers behaves.
   *
   * @param isMain whether what is said of the pod is meant for it too
   * @param image of which Stages may say something, whichever kind of container it is
   * @param command what its command says; annotations and Stages count more, and the default less
   */
  of(container: string, isMain: boolean, image = '', command: Defaults = {}): ContainerBehaviour {
    const text = (word: Word) =>
      this.#given[`${wordPrefix}${container}.${word}`] ??
      (isMain ? this.#said(word, image) : this.#staged(word, (isForImage) => isForImage?.(image) === true)) ??
      command[word] ??
      (isMain ? this.#defaults[word] : undefined);
    const millis = (word: Word, occasion: number) => this.#duration(text(word), `${container} ${word} ${occasion}`);
    return {text, millis, exitCode: (run) => codeOf(text('exit-code'), run)};
  }

  #duration(text: string | undefined, occasion: string): number | undefined {
    return text === undefined ? undefined : spreadMillis(text, `${this.#seed} ${occasion}`);
  }
}

/**
 * Milliseconds of a duration such as `5s`, or `5s+2s`, of which the second is added in part.
 *
 * @param seed how much of it is added depends on that alone
 * @returns undefined for what is no duration, and for `never`
 */
export function spreadMillis(text: string, seed: string): number | undefined {
  if (text === never) return undefined;
  const [length = '', jitter] = text.split('+', 2);
  const millis = durationMillis(length.trim());
  if (millis === undefined || jitter === undefined) return millis;
  const spread = durationMillis(jitter.trim());
  return spread === undefined ? undefined : millis + spread * fraction(seed);
}

/** How a container behaves. */
export interface ContainerBehaviour {
  text(word: Word): string | undefined;
  /** As `Behaviour.millis`. @param occasion how often it has been started before */
  millis(word: Word, occasion: number): number | undefined;
  /** The code of its exit, undefined if none is said. @param run how often it has been started before */
  exitCode(run: number): number | undefined;
}

/** `1,1,0`: of the first run, the second, and all further ones. */
function codeOf(text: string | undefined, run: number): number | undefined {
  if (text === undefined) return undefined;
  const codes = text.split(',', mostCodes).map((code) => (/^\s*\d{1,3}\s*$/.test(code) ? Number(code) : Number.NaN));
  const code = codes[Math.min(run, codes.length - 1)];
  return code === undefined || Number.isNaN(code) || code > 255 ? undefined : code;
}

/** A number from 0 to 1 that looks random (FNV-1a). */
export function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
