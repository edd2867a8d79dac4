/** Starts a server in development. */
export interface Begin {
  readonly kind: 'begin';
  /** The plugin that is being written: folder, manifest or module. */
  readonly plugin: string;
  /** Flags of `orch serve`, the plugin among them. */
  readonly args: readonly string[];
  readonly cwd: string;
}

/** From the command: begin; the server before has stopped, so start. */
export type ToServer = Begin | {readonly kind: 'go'};

/** From the server: the plugin has passed the check and waits for `go`; its faults; the server answers requests. */
export type FromServer =
  | {readonly kind: 'checked'}
  | {readonly kind: 'faults'; readonly text: string}
  | {readonly kind: 'ready'; readonly line: string};
