const shortestMillis = 500;
const longestMillis = 122_000;

/** Milliseconds until kubelet or attach-detach controller try again to bring a volume: twice as many after each failure. As in Kubernetes. @param failures before this one */
export function volumePauseMillis(failures: number): number {
  return Math.min(shortestMillis * 2 ** Math.min(failures, 30), longestMillis);
}
