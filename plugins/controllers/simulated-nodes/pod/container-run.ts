import {secondTime} from '../../../../sdk/index.js';
import type {Container, ContainerStatus, PodSpec, Probe} from '../../../../sdk/types/unchecked/core/v1.js';
import {firstProbe, type ContainerBehaviour} from '../behaviour/behaviour.js';
import {createdFacts, imageIdOf, newContainerId, waitingStatus, type StatusFeatures} from './container-facts.js';

export type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** What the status of a container does not say. */
export interface ContainerMemory {
  /** When what it is at began, in milliseconds since 1970. */
  since: number;
  /** Failures in a row: of the image, or exits. */
  failures: number;
}

/** What happened to a container, in the words of kubelets. */
export interface ContainerEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
}

export interface ContainerParts {
  readonly spec: Container;
  readonly podSpec: PodSpec;
  readonly kind: ContainerKind;
  /** As it is stored; undefined for one that is new. */
  readonly status: ContainerStatus | undefined;
  readonly memory: ContainerMemory | undefined;
  readonly behaviour: ContainerBehaviour;
  readonly features: StatusFeatures;
  /** `NAME_NAMESPACE(UID)`. */
  readonly podText: string;
  /** What it waits for before it can be created. */
  readonly waitReason: string;
  /** Whether an image is on the node already; from now on it is. */
  readonly hadImage: (image: string) => boolean;
  /** Why it cannot be created, for want of what its environment is made of; undefined if it can. */
  readonly environmentFault: () => string | undefined;
  /** Whether it runs again after an exit. */
  readonly restarts: (name: string | undefined, exitCode: number) => boolean;
  readonly happened: (container: string, kind: ContainerKind, event: ContainerEvent) => void;
}

const firstBackoffMillis = 10_000;
const longestBackoffMillis = 300_000;
/** A container that has run so long is not in a loop of crashes. */
const soundMillis = 2 * longestBackoffMillis;
/** Until the failure to get an image becomes a pause. */
const imageErrorMillis = 1000;

/** Until a container that could not be created is tried again: 10 to 15 seconds. */
const configErrorMillis = 12_500;

const configError = 'CreateContainerConfigError';
const crashLoop = 'CrashLoopBackOff';
const imageError = 'ErrImagePull';
const imageBackoff = 'ImagePullBackOff';

/** The life of one container: what comes next, when, and what its status is then. */
export class ContainerRun {
  /** Its own copy. */
  readonly status: ContainerStatus;
  memory: ContainerMemory | undefined;
  /** Whether it began to run in this step: it is to be seen before it ends. */
  hasJustStarted = false;
  readonly #parts: ContainerParts;

  constructor(parts: ContainerParts) {
    this.#parts = parts;
    const {spec, status, waitReason, features, memory} = parts;
    this.status = status ? {...status} : waitingStatus(spec, waitReason, features);
    this.memory = memory && {...memory};
  }

  get kind(): ContainerKind {
    return this.#parts.kind;
  }

  get name(): string {
    return this.#parts.spec.name ?? '';
  }

  get spec(): Container {
    return this.#parts.spec;
  }

  get isRunning(): boolean {
    return Boolean(this.status.state?.running);
  }

  /** Whether later containers may start, as far as this one of the init containers is concerned. */
  get isInitialized(): boolean {
    return this.kind === 'sidecar' ? this.status.started === true : this.status.state?.terminated?.exitCode === 0;
  }

  /** Whether it has ended and does not run again. */
  get hasEnded(): boolean {
    const ended = this.status.state?.terminated;
    return ended !== undefined && ended !== null && !this.#runsAgain(ended.exitCode ?? 0);
  }

  /** From now on it may run. @param at milliseconds since 1970 */
  begin(at: number): void {
    this.memory ??= {since: this.#sinceOfStatus() ?? at, failures: this.status.restartCount ?? 0};
  }

  /** When the next thing happens; undefined if nothing does. */
  get due(): number | undefined {
    const {memory} = this;
    if (!memory) return undefined;
    const {waiting, running, terminated} = this.status.state ?? {};
    if (running) return this.#dueWhileRunning(memory.since);
    if (terminated) return this.#runsAgain(terminated.exitCode ?? 0) ? memory.since : undefined;
    if (waiting?.reason === crashLoop) return memory.since + backoffMillis(memory.failures - 1);
    if (waiting?.reason === imageBackoff) return memory.since + backoffMillis(memory.failures);
    if (waiting?.reason === imageError) return memory.since + imageErrorMillis;
    if (waiting?.reason === configError) return memory.since + (this.#parts.environmentFault() === undefined ? 0 : configErrorMillis);
    const pulled = memory.since + this.#millis('pull');
    return this.#imageError === undefined ? pulled + this.#millis('start') : pulled;
  }

  /** Does what is due. Answers whether anything was. */
  move(at: number): boolean {
    const {due, memory} = this;
    if (due === undefined || !memory || due > at) return false;
    const {waiting, running, terminated} = this.status.state ?? {};
    if (running) return this.#moveWhileRunning(at, memory.since);
    if (terminated) return this.#restart(at, memory);
    if (waiting?.reason === imageError) {
      this.#happened('Normal', 'BackOff', `Back-off pulling image "${this.#image}"`);
      this.#happened('Warning', 'Failed', `Error: ${imageBackoff}`);
      const {message = ''} = waiting;
      this.status.state = {waiting: {reason: imageBackoff, message: `Back-off pulling image "${this.#image}": ${imageError}: ${message}`}};
      return true;
    }
    if (waiting?.reason !== crashLoop && this.#imageError !== undefined) return this.#failImage(at, memory, this.#imageError);
    if (waiting?.reason === imageBackoff) memory.failures = 0;
    this.#start(at);
    return true;
  }

  /** It ends, because it is asked to, or by itself. */
  end(
    at: number,
    exitCode: number,
    {reason, message}: {readonly reason?: string | undefined; readonly message?: string | undefined} = {},
  ): void {
    const {running} = this.status.state ?? {};
    const {containerID} = this.status;
    this.status.state = {
      terminated: {
        exitCode,
        reason: reason ?? (exitCode === 0 ? 'Completed' : 'Error'),
        ...(message === undefined ? {} : {message}),
        startedAt: running?.startedAt ?? secondTime(at),
        finishedAt: secondTime(at),
        ...(containerID === undefined ? {} : {containerID}),
      },
    };
    this.status.ready = this.kind === 'init' && exitCode === 0;
    this.status.started = false;
    this.memory = {since: at, failures: this.memory?.failures ?? 0};
  }

  /** Nobody knows how it ended, as it never ran. */
  giveUp(): void {
    this.status.state = {
      terminated: {
        exitCode: 137,
        reason: 'ContainerStatusUnknown',
        message: 'The container could not be located when the pod was terminated',
      },
    };
    this.status.ready = false;
    this.status.started = false;
  }

  get #image(): string {
    return this.#parts.spec.image ?? '';
  }

  get #imageError(): string | undefined {
    return this.#parts.behaviour.text('image-error');
  }

  get #run(): number {
    return this.status.restartCount ?? 0;
  }

  #millis(word: 'pull' | 'start'): number {
    return this.#parts.behaviour.millis(word, this.#run) ?? 0;
  }

  #happened(type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#parts.happened(this.name, this.kind, {type, reason, note});
  }

  /** Whether an exit with a code is followed by another run. */
  #runsAgain(exitCode: number): boolean {
    const {kind, restarts} = this.#parts;
    if (kind === 'ephemeral' || (kind === 'init' && exitCode === 0)) return false;
    return restarts(this.name, exitCode);
  }

  /** When what the stored status says began. */
  #sinceOfStatus(): number | undefined {
    const {state, lastState} = this.status;
    const text = state?.running?.startedAt ?? state?.terminated?.finishedAt ?? lastState?.terminated?.finishedAt;
    const at = Date.parse(text ?? '');
    return Number.isNaN(at) ? undefined : at;
  }

  /** How long it runs until it ends by itself. */
  get #lifetime(): number | undefined {
    const {kind, behaviour} = this.#parts;
    if (behaviour.text('after') !== undefined) return behaviour.millis('after', this.#run);
    // A code alone means at once, and so does nothing of an init container: others would wait for it for ever.
    return behaviour.exitCode(this.#run) !== undefined || kind === 'init' ? 0 : undefined;
  }

  #dueWhileRunning(since: number): number | undefined {
    const lifetime = this.#lifetime;
    const end = lifetime === undefined ? Infinity : since + lifetime;
    let next = Infinity;
    if (this.status.started !== true) next = this.#startedAt(since);
    else if (!this.status.ready && this.kind !== 'init') next = since + this.#readyMillis;
    const due = Math.min(end, next);
    return due === Infinity ? undefined : due;
  }

  /** When it counts as started: at once, unless it has a probe for that which is said to take a while. */
  #startedAt(since: number): number {
    const {startupProbe} = this.#parts.spec;
    return startupProbe ? since + this.#probeMillis('startup', startupProbe) : since;
  }

  /** Until it is ready, from its start. */
  get #readyMillis(): number {
    return this.#probeMillis('ready', this.#parts.spec.readinessProbe);
  }

  /** Until a probe succeeds that nobody sends: at once, unless something is said of it. */
  #probeMillis(word: 'startup' | 'ready', probe: Probe | undefined): number {
    const {behaviour} = this.#parts;
    const text = behaviour.text(word);
    if (text === firstProbe) return (probe?.initialDelaySeconds ?? 0) * 1000;
    return text === undefined ? 0 : (behaviour.millis(word, this.#run) ?? Infinity);
  }

  #moveWhileRunning(at: number, since: number): boolean {
    const {behaviour} = this.#parts;
    const lifetime = this.#lifetime;
    if (lifetime !== undefined && since + lifetime <= at && !this.hasJustStarted) {
      const sound = at - since >= soundMillis;
      this.end(at, behaviour.exitCode(this.#run) ?? 0, {reason: behaviour.text('reason'), message: behaviour.text('message')});
      if (sound) this.memory!.failures = 0;
      return true;
    }
    if (this.status.started !== true && this.#startedAt(since) <= at) this.status.started = true;
    else if (this.status.started === true && !this.status.ready && this.kind !== 'init' && since + this.#readyMillis <= at)
      this.status.ready = true;
    else return false;
    return true;
  }

  #start(at: number): void {
    const {spec, podSpec, kind, features, hadImage, environmentFault} = this.#parts;
    const before = this.status.state?.terminated ?? this.status.lastState?.terminated;
    const image = this.#image;
    const isThere = hadImage(image);
    if (!isThere || spec.imagePullPolicy === 'Always') {
      const took = goSeconds(this.#millis('pull'));
      this.#happened('Normal', 'Pulling', `Pulling image "${image}"`);
      this.#happened(
        'Normal',
        'Pulled',
        `Successfully pulled image "${image}" in ${took} (${took} including waiting). Image size: 0 bytes.`,
      );
    } else this.#happened('Normal', 'Pulled', `Container image "${image}" already present on machine and can be accessed by the pod`);
    const fault = environmentFault();
    if (fault !== undefined) {
      this.#happened('Warning', 'Failed', `Error: ${fault}`);
      if (before) this.status.lastState = {terminated: before};
      this.status.state = {waiting: {reason: configError, message: fault}};
      this.memory = {since: at, failures: this.memory?.failures ?? 0};
      return;
    }
    this.#happened('Normal', 'Created', 'Container created');
    this.#happened('Normal', 'Started', 'Container started');
    Object.assign(this.status, createdFacts(spec, podSpec, features), {
      image,
      imageID: imageIdOf(image),
      containerID: newContainerId(),
      started: false,
      ready: false,
      state: {running: {startedAt: secondTime(at)}},
      ...(before ? {lastState: {terminated: before}, restartCount: this.#run + 1} : {}),
    });
    this.hasJustStarted = kind !== 'init';
    this.memory = {since: at, failures: this.memory?.failures ?? 0};
  }

  #restart(at: number, memory: ContainerMemory): boolean {
    const {failures} = memory;
    memory.failures = failures + 1;
    if (failures === 0) {
      this.#start(at);
      return true;
    }
    const pause = goSeconds(backoffMillis(failures));
    const {podText} = this.#parts;
    this.#happened('Warning', 'BackOff', `Back-off restarting failed container ${this.name} in pod ${podText}`);
    this.status.lastState = {terminated: this.status.state!.terminated!};
    this.status.state = {
      waiting: {reason: crashLoop, message: `back-off ${pause} restarting failed container=${this.name} pod=${podText}`},
    };
    return true;
  }

  #failImage(at: number, memory: ContainerMemory, error: string): boolean {
    const image = this.#image;
    const text =
      error === '' || error === 'true'
        ? `failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`
        : error;
    memory.failures += 1;
    memory.since = at;
    this.#happened('Normal', 'Pulling', `Pulling image "${image}"`);
    this.#happened('Warning', 'Failed', `Failed to pull image "${image}": ${text}`);
    this.#happened('Warning', 'Failed', `Error: ${imageError}`);
    this.status.state = {waiting: {reason: imageError, message: text}};
    return true;
  }
}

/** @param failures in a row that were not followed by another attempt at once */
function backoffMillis(failures: number): number {
  return Math.min(firstBackoffMillis * 2 ** Math.max(failures - 1, 0), longestBackoffMillis);
}

/** As Go writes a duration. */
function goSeconds(millis: number): string {
  if (millis < 1000) return `${Math.round(millis)}ms`.replace(/^0ms$/, '0s');
  const seconds = Math.round(millis / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}
