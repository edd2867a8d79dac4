/** The plugin's settings; `plugin.json` describes them. */
export interface PodSettings {
  readonly allowPrivileged: boolean;
  /** Allows pods and services to point to the server itself; for development. */
  readonly proxyToLoopback: boolean;
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** PEM files; empty if not set. */
  readonly kubeletCertificateAuthority: string;
  readonly kubeletClientCertificate: string;
  readonly kubeletClientKey: string;
}
