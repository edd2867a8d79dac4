import type {PodSpec} from '../../sdk/types/unchecked/core/v1.js';

/** A node of a situation: 4 processors, 8 GiB, room for 10 pods, unless it says otherwise. */
export interface NodeRow {
  readonly allocatable?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly object[];
  readonly unschedulable?: boolean;
  /** How many volumes of the driver `disk.example.com` it attaches. */
  readonly volumes?: number;
}

/** Devices of the driver `gpu.example.com`, and who claims which. */
export interface DeviceRows {
  /** By the name of a class, what selects its devices. */
  readonly classes: Readonly<Record<string, string>>;
  /** By the name of a class, the resource by which pods may ask for its devices. */
  readonly resources?: Readonly<Record<string, string>>;
  /** Slices by the name of their pool, which is that of a node unless they are for all. */
  readonly pools: Readonly<Record<string, {readonly isShared?: boolean; readonly devices: readonly object[]}>>;
  /** What claims ask for. */
  readonly claims: Readonly<Record<string, object>>;
}

export interface PodRow {
  readonly spec?: PodSpec;
  readonly labels?: Readonly<Record<string, string>>;
}

/** What a scheduler finds, and a pod that it has to decide about. */
export interface Situation {
  readonly name: string;
  readonly nodes: Readonly<Record<string, NodeRow>>;
  /** Volumes of the driver `disk.example.com`, bound to claims of the same names. */
  readonly volumes?: Readonly<Record<string, {readonly accessMode?: string; readonly node?: string}>>;
  /** Claims that are bound to nothing. */
  readonly unbound?: readonly string[];
  readonly devices?: DeviceRows;
  /** Pods that are placed before, one after the other, by name. */
  readonly before?: Readonly<Record<string, PodRow>>;
  readonly pod: PodRow;
}
