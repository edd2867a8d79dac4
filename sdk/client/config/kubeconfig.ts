/** The parts of a client configuration file that the client reads. Any member may be missing. */
export interface Kubeconfig {
  'current-context'?: string;
  clusters?: {name: string; cluster: ClusterEntry}[];
  users?: {name: string; user: UserEntry}[];
  contexts?: {name: string; context: ContextEntry}[];
}

export interface ClusterEntry {
  server?: string;
  'certificate-authority'?: string;
  'certificate-authority-data'?: string;
  'insecure-skip-tls-verify'?: boolean;
  'tls-server-name'?: string;
  'proxy-url'?: string;
  'disable-compression'?: boolean;
  extensions?: {name: string; extension: unknown}[];
}

export interface UserEntry {
  'client-certificate'?: string;
  'client-certificate-data'?: string;
  'client-key'?: string;
  'client-key-data'?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  as?: string;
  'as-uid'?: string;
  'as-groups'?: string[];
  'as-user-extra'?: Record<string, string[]>;
  exec?: ExecEntry;
  'auth-provider'?: {name?: string; config?: Record<string, string>};
}

export interface ContextEntry {
  cluster?: string;
  user?: string;
  namespace?: string;
}

/** A credential plugin (docs/semantics/access.md#credential-plugins). */
export interface ExecEntry {
  command?: string;
  apiVersion?: string;
  args?: string[] | null;
  env?: {name: string; value: string}[] | null;
  installHint?: string;
  provideClusterInfo?: boolean;
  interactiveMode?: string;
}

/** An entry and its file: relative paths are relative to the file's folder. */
export interface Placed<T> {
  readonly name: string;
  readonly entry: T;
  /** Absolute path. */
  readonly file: string;
}
