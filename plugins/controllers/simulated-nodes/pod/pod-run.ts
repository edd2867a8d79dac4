import {secondTime} from '../../../../sdk/index.js';
import {sameValue} from '../../../../sdk/validation/index.js';
import type {Container, ContainerStatus, Pod, PodStatus} from '../../../../sdk/types/unchecked/core/v1.js';
import {isSidecar, restarts} from '../../../families/pods/restart-policy.js';
import {qosClass} from '../../../families/pods/pod-qos.js';
import type {SimulatedNode} from '../node/simulated-node.js';
import type {Behaviour} from '../behaviour/behaviour.js';
import {commandWords} from '../behaviour/command-words.js';
import {resourceFacts, type StatusFeatures} from './container-facts.js';
import {ContainerRun, type ContainerEvent, type ContainerKind, type ContainerMemory} from './container-run.js';
import {MountAttempts, type MountFaults, type MountMemory} from './mount-attempts.js';
import {conditionsOf} from './pod-conditions.js';
import {isTerminal, phaseOf, type Phase} from './pod-phase.js';
import {preStopMillis, terminationOf, type Termination} from './pod-termination.js';

/** What the status of a pod does not say. Begins anew when another server takes over. */
export interface PodMemory {
  /** By name; most pods have nothing to remember. */
  containers?: Map<string, ContainerMemory> | undefined;
  /** When its containers were asked to end, in milliseconds since 1970. */
  killedAt?: number;
  /** The address that it holds. */
  address?: string;
  /** Of volumes that could not be mounted. */
  mounts?: MountMemory | undefined;
  /** When it is said next that Secrets for its images are missing, in milliseconds since 1970. */
  pullSecretsAt?: number | undefined;
}

export interface PodEvent extends ContainerEvent {
  /** Of the container that it is about. */
  readonly fieldPath?: string;
}

export interface PodRunParts {
  readonly pod: Pod;
  readonly node: SimulatedNode;
  readonly behaviour: Behaviour;
  readonly memory: PodMemory;
  readonly features: StatusFeatures;
  /** Its volumes are not there yet: nothing of it can begin. */
  readonly waits?: boolean;
  /** What keeps them from being there. */
  readonly mountFaults?: MountFaults;
  /** Secrets for pulling images that are not there. */
  readonly missingPullSecrets?: readonly string[];
  /** Why a container cannot be created for want of what its environment is made of. */
  readonly environmentFault?: (container: Container) => string | undefined;
}

/** Moves of one step: each container has a few. */
const mostMoves = 2000;
/** Until a kubelet looks at a pod again in which nothing happens: 60 to 90 seconds. */
const resyncMillis = 75_000;
/** The code of a container that is asked to end and does, and of one that is ended. */
const terminatedCode = 143;
const killedCode = 137;

/** One look at a pod on a simulated node: what is due in its life at a time, and its status afterwards. */
export class PodRun {
  readonly events: PodEvent[] = [];
  /** Whether its containers have ended after its deletion: it may go. */
  isGone = false;
  readonly #parts: PodRunParts;
  readonly #init: readonly ContainerRun[];
  readonly #main: readonly ContainerRun[];
  readonly #ephemeral: readonly ContainerRun[];
  #failure: {readonly reason: string; readonly message: string; readonly isDisruption?: boolean} | undefined;
  #isOver = false;
  /** When its kubelet has taken it on, in milliseconds since 1970. */
  #startedAt = 0;
  /** Of the new status. */
  #phase: Phase | undefined;

  constructor(parts: PodRunParts) {
    this.#parts = parts;
    const {spec = {}, status = {}} = parts.pod;
    const hasInit = (spec.initContainers ?? []).length > 0;
    const wait = hasInit ? 'PodInitializing' : 'ContainerCreating';
    const made = (
      containers: readonly Container[] | null | undefined,
      kindOf: (container: Container) => ContainerKind,
      stored: PodStatus['containerStatuses'],
    ) => (containers ?? []).map((container) => this.#container(container, kindOf(container), stored ?? [], wait));
    this.#init = made(spec.initContainers, (container) => (isSidecar(container) ? 'sidecar' : 'init'), status.initContainerStatuses);
    this.#main = made(spec.containers, () => 'main', status.containerStatuses);
    this.#ephemeral = made(spec.ephemeralContainers, () => 'ephemeral', status.ephemeralContainerStatuses);
  }

  /** Does what is due. @param at milliseconds since 1970 */
  advance(at: number): void {
    const {startTime} = this.#parts.pod.status ?? {};
    this.#startedAt = startTime ? Date.parse(startTime) : at;
    this.#tryVolumes(at);
    this.#findPullSecrets(at);
    for (let moves = 0; moves < mostMoves && this.#move(at); moves += 1);
  }

  /** Of the new status; undefined before `change`. */
  get phase(): Phase | undefined {
    return this.#phase;
  }

  /** When something is due next; undefined if nothing is. Not before `change`. */
  get due(): number | undefined {
    const {pod} = this.#parts;
    if (this.#isOver || this.isGone || isTerminal(this.#phase ?? pod.status?.phase)) return undefined;
    const times = pod.metadata.deletionTimestamp
      ? [this.#termination?.end]
      : [
          ...(this.#parts.waits ? [this.#attempts?.due] : this.#reached().map((container) => container.due)),
          this.#parts.memory.pullSecretsAt,
          this.#deadline,
          this.#eviction,
        ];
    const first = Math.min(...times.filter((time) => time !== undefined));
    return first === Infinity ? undefined : first;
  }

  /** What has to be written: the members of the status that are others now; undefined if none is. */
  change(at: number): Record<string, unknown> | undefined {
    const before = (this.#parts.pod.status ?? {}) as Record<string, unknown>;
    if (isTerminal(before['phase'] as string)) return undefined;
    const after = this.#status(at) as unknown as Record<string, unknown>;
    const changed: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(after)) if (!sameValue(value, before[name])) changed[name] = value;
    return Object.keys(changed).length === 0 ? undefined : changed;
  }

  /** Takes over what is to be remembered of its containers. */
  remember(): void {
    const {memory} = this.#parts;
    for (const {name, memory: own} of this.#all) if (own) (memory.containers ??= new Map()).set(name, own);
  }

  get #attempts(): MountAttempts | undefined {
    const {mounts} = this.#parts.memory;
    return mounts && new MountAttempts(mounts);
  }

  #tryVolumes(at: number): void {
    const {pod, memory, mountFaults} = this.#parts;
    const isTried = mountFaults && !pod.metadata.deletionTimestamp && !isTerminal(pod.status?.phase);
    memory.mounts = isTried ? (memory.mounts ?? new Map()) : undefined;
    if (isTried) this.events.push(...(this.#attempts?.fail(mountFaults, at) ?? []));
  }

  /** Says which Secrets for images are missing, whenever a kubelet looks at the pod to bring it on. */
  #findPullSecrets(at: number): void {
    const {pod, memory, waits, missingPullSecrets = []} = this.#parts;
    if (missingPullSecrets.length === 0 || waits || pod.metadata.deletionTimestamp || isTerminal(pod.status?.phase)) {
      memory.pullSecretsAt = undefined;
      return;
    }
    const isLookedAt = memory.pullSecretsAt === undefined || this.#reached().some(({due = Infinity}) => due <= at);
    if (!isLookedAt && memory.pullSecretsAt! > at) return;
    memory.pullSecretsAt = at + resyncMillis;
    const names = missingPullSecrets.join(', ');
    const note = `Unable to retrieve some image pull secrets (${names}); attempting to pull the image may not succeed.`;
    this.events.push({type: 'Warning', reason: 'FailedToRetrieveImagePullSecret', note});
  }

  get #all(): readonly ContainerRun[] {
    return [...this.#init, ...this.#main, ...this.#ephemeral];
  }

  /** Containers whose turn it is: the init containers in order, then all. */
  #reached(): ContainerRun[] {
    const first = this.#init.findIndex(({isInitialized}) => !isInitialized);
    if (first >= 0 && !this.#main.some((container) => container.memory ?? container.isRunning)) return this.#init.slice(0, first + 1);
    return [...this.#init.filter(({kind}) => kind === 'sidecar'), ...this.#main, ...this.#ephemeral];
  }

  #move(at: number): boolean {
    const {pod} = this.#parts;
    if (this.isGone || this.#isOver) return false;
    if (pod.metadata.deletionTimestamp) return this.#terminate(at);
    if (isTerminal(pod.status?.phase)) return false;
    if ((this.#deadline ?? Infinity) <= at)
      return this.#fail(at, 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline');
    if ((this.#eviction ?? Infinity) <= at) return this.#evict(at);
    if (this.#parts.waits) return false;
    for (const container of this.#reached()) {
      container.begin(at);
      if (container.move(at)) return true;
    }
    const isDone = this.#main.length > 0 && this.#main.every(({hasEnded}) => hasEnded);
    const sidecars = this.#init.filter(({kind, isRunning}) => kind === 'sidecar' && isRunning);
    if (!isDone || sidecars.length === 0) return false;
    // Nothing is left for them to do.
    for (const sidecar of sidecars) sidecar.end(at, 0);
    return true;
  }

  get #deadline(): number | undefined {
    const seconds = this.#parts.pod.spec?.activeDeadlineSeconds;
    return seconds === undefined || seconds === null ? undefined : this.#startedAt + Number(seconds) * 1000;
  }

  get #eviction(): number | undefined {
    const millis = this.#parts.behaviour.millis('evict');
    return millis === undefined ? undefined : this.#startedAt + millis;
  }

  #evict(at: number): boolean {
    const message = this.#parts.behaviour.text('message') ?? 'The node was low on resource: memory. ';
    this.events.push({type: 'Warning', reason: 'Evicted', note: message});
    this.#fail(at, 'Evicted', message, true);
    return true;
  }

  #fail(at: number, reason: string, message: string, isDisruption = false): boolean {
    for (const container of this.#all) if (container.isRunning) container.end(at, killedCode);
    this.#failure = {reason, message, isDisruption};
    this.#isOver = true;
    return true;
  }

  /** How its containers end; undefined until they were asked to. */
  get #termination(): Termination | undefined {
    const {pod, memory, behaviour} = this.#parts;
    if (memory.killedAt === undefined) return undefined;
    const hooks = preStopMillis(this.#all.filter(({isRunning}) => isRunning).map(({spec}) => spec));
    return terminationOf(memory.killedAt, Date.parse(pod.metadata.deletionTimestamp ?? ''), hooks, behaviour.millis('terminate') ?? 0);
  }

  #terminate(at: number): boolean {
    const {pod, memory, behaviour} = this.#parts;
    if (isTerminal(pod.status?.phase)) {
      this.isGone = true;
      return true;
    }
    if (memory.killedAt === undefined) {
      memory.killedAt = at;
      for (const container of this.#all)
        if (container.isRunning)
          this.#happened(container.name, container.kind, {type: 'Normal', reason: 'Killing', note: `Stopping container ${container.name}`});
    }
    const {end, isForced} = this.#termination!;
    if (end > at) return false;
    const said = behaviour.text('terminate-code');
    const code = isForced ? killedCode : said !== undefined && /^\d{1,3}$/.test(said) ? Math.min(Number(said), 255) : terminatedCode;
    const hadBegun = this.#main.some(({isRunning, status}) => isRunning || status.state?.terminated || status.lastState?.terminated);
    for (const container of this.#all) {
      if (container.isRunning) container.end(at, code);
      else if (hadBegun && container.kind === 'main' && !container.status.state?.terminated) container.giveUp();
    }
    this.#isOver = true;
    this.isGone = true;
    return true;
  }

  #container(spec: Container, kind: ContainerKind, stored: readonly ContainerStatus[], waitReason: string): ContainerRun {
    const {pod, node, behaviour, memory, features, environmentFault} = this.#parts;
    const {name = '', namespace = '', uid = ''} = pod.metadata;
    const ofKind = kind === 'main' ? pod.spec?.containers : pod.spec?.initContainers;
    return new ContainerRun({
      spec,
      podSpec: pod.spec ?? {},
      kind,
      status: stored.find((status) => status.name === spec.name),
      memory: memory.containers?.get(spec.name ?? ''),
      behaviour: behaviour.of(spec.name ?? '', kind === 'main', spec.image, commandWords(spec)),
      features,
      podText: `${name}_${namespace}(${uid})`,
      waitReason,
      hadImage: (image) => node.hadImage(image),
      environmentFault: () => environmentFault?.(spec),
      restarts: restarts(pod.spec ?? {}, ofKind),
      happened: (of, ofWhichKind, event) => this.#happened(of, ofWhichKind, event),
    });
  }

  #happened(container: string, kind: ContainerKind, event: ContainerEvent): void {
    const list = kind === 'main' ? 'containers' : kind === 'ephemeral' ? 'ephemeralContainers' : 'initContainers';
    this.events.push({...event, fieldPath: `spec.${list}{${container}}`});
  }

  #status(at: number): PodStatus {
    const {pod, node, features} = this.#parts;
    const {spec = {}, status = {}, metadata} = pod;
    const statuses = new Map(this.#all.map((container) => [container.name, this.#shown(container)]));
    const phase: Phase = this.#failure
      ? 'Failed'
      : isTerminal(status.phase)
        ? (status.phase as Phase)
        : phaseOf(pod, statuses, this.#isOver);
    this.#phase = phase;
    const disruption = this.#failure?.isDisruption
      ? [{type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message: this.#failure.message} as const]
      : [];
    const shown = (containers: readonly ContainerRun[]) => containers.map(({name}) => statuses.get(name)!);
    const generation = Number(metadata.generation ?? 0);
    const addresses = this.#addresses(spec.hostNetwork === true);
    const hasSandbox = phase !== 'Succeeded' && phase !== 'Failed' && !this.#parts.waits;
    return {
      ...(features.generations && generation > 0 ? {observedGeneration: generation} : {}),
      phase,
      conditions: conditionsOf(pod, phase, statuses, at, features, hasSandbox, disruption),
      ...(this.#failure ? {reason: this.#failure.reason, message: this.#failure.message} : {}),
      hostIP: node.hostAddresses[0] ?? '',
      ...(features.hostIPs ? {hostIPs: node.hostAddresses.map((ip) => ({ip}))} : {}),
      ...(addresses.length > 0 ? {podIP: addresses[0], podIPs: addresses.map((ip) => ({ip}))} : {}),
      startTime: status.startTime ?? secondTime(at),
      ...(this.#init.length > 0 ? {initContainerStatuses: shown(this.#init)} : {}),
      containerStatuses: shown(this.#main),
      ...(this.#ephemeral.length > 0 ? {ephemeralContainerStatuses: shown(this.#ephemeral)} : {}),
      qosClass: status.qosClass ?? qosClass(spec),
    };
  }

  /** With what a container may use by now. */
  #shown(container: ContainerRun): ContainerStatus {
    const {status, spec} = container;
    return container.isRunning ? {...status, ...resourceFacts(spec, this.#parts.features)} : status;
  }

  #addresses(isOfHost: boolean): readonly string[] {
    const {pod, node, memory} = this.#parts;
    if (isOfHost) return node.hostAddresses;
    const stored = pod.status?.podIPs?.map(({ip = ''}) => ip) ?? [];
    if (stored.length > 0 || this.#parts.waits) return stored;
    memory.address ??= node.takeAddress();
    return memory.address === undefined ? [] : node.addressesOf(memory.address);
  }
}
