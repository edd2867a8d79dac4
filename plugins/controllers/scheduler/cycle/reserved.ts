/** What a pod has chosen on its node. */
export interface Reserved {
  /** Writes it down, and waits until that is complete. @throws Error in the words of Kubernetes */
  bind(signal: AbortSignal): Promise<void>;
  /** Gives it back. */
  release(): void;
}
