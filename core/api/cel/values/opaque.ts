import type {CelType} from '../types/cel-type.js';

/** A value of a type that a library adds: an address, a quantity. */
export abstract class OpaqueValue {
  abstract get type(): CelType;
  abstract equals(other: OpaqueValue): boolean;
}
