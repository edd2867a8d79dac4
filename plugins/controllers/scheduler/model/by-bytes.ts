/** The order in which Kubernetes sorts names: the same on every machine, whatever its language. */
export function byBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
