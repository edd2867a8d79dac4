/** A copy with half as much room again. */
export function grown<T extends Uint32Array | Uint8Array>(values: T): T {
  const larger = new (values.constructor as new (length: number) => T)(Math.ceil((values.length * 3) / 2));
  larger.set(values);
  return larger;
}
