import type {DeviceClass, ResourceClaim, ResourceSlice} from '../../../../sdk/types/unchecked/resource/v1.js';
import type {Amounts} from '../devices/device-capacity.js';
import type {PooledDevice} from '../devices/device-pools.js';
import type {DeviceWay} from '../devices/device-requests.js';

/** Claims, classes and devices as they are now; they must not be changed. */
export interface DeviceView {
  /** Whether everything that exists is known. */
  readonly isReady: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  claim(namespace: string, name: string): ResourceClaim | undefined;
  deviceClass(name: string): DeviceClass | undefined;
  /** The class that gives an extended resource; of several the newest. */
  classGiving(resource: string): DeviceClass | undefined;
  /** The claim that was made for what a pod, by its uid, asks for by names of resources. */
  extendedClaimOf(uid: string): ResourceClaim | undefined;
  /** By which such claims are known. */
  readonly extendedAnnotation: string;
  /** Those that a node may use: its own and those that are for several nodes. */
  slicesFor(node: string): readonly ResourceSlice[];
  /** Those of a pool, by `DRIVER/POOL`. */
  slicesOf(pool: string): readonly ResourceSlice[];
  /** Whether a device has been given to a claim as a whole, or is about to be. */
  isInUse(id: string): boolean;
  /** What claims have taken of a device that they share, or are about to; undefined if none has a share. */
  sharesOf(id: string): Amounts | undefined;
  /** Whether a claim, by its uid, is about to get devices. */
  isPending(uid: string): boolean;
  /** @throws DeviceError where an expression fails */
  selects(device: PooledDevice, way: DeviceWay, claim: ResourceClaim): boolean;
}

/** Where there are none. */
export const noDevices: DeviceView = {
  isReady: false,
  now: 0,
  claim: () => undefined,
  deviceClass: () => undefined,
  classGiving: () => undefined,
  extendedClaimOf: () => undefined,
  extendedAnnotation: '',
  slicesFor: () => [],
  slicesOf: () => [],
  isInUse: () => false,
  sharesOf: () => undefined,
  isPending: () => false,
  selects: () => false,
};
