/** The plugin's settings; `plugin.json` describes them. */
export interface PodSettings {
  readonly allowPrivileged: boolean;
  /** Allows pods and nodes, their kubelets too, to be at loopback and link-local addresses of this machine; for development. */
  readonly proxyToLoopback: boolean;
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** PEM files; empty if not set. */
  readonly kubeletCertificateAuthority: string;
  readonly kubeletClientCertificate: string;
  readonly kubeletClientKey: string;
}
