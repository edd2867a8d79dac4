/** What a pod has chosen on its node. */
export interface Reserved {
  /** Writes it down, and waits until that is complete. @throws Error in the words of Kubernetes */
  bind(signal: AbortSignal): Promise<void>;
  /** Nothing is kept for the pod any more beyond what is written. */
  release(): void;
  /** Takes back what was written for the pod alone, as it does not come to the node. */
  undo?(): Promise<void>;
}
