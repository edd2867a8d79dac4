/** Settings of this plugin; `plugin.json` describes them. */
export interface PodSettings {
  readonly allowPrivileged: boolean;
  /** Pods and services may point the server at itself; for development. */
  readonly proxyToLoopback: boolean;
  readonly kubeletPreferredAddressTypes: readonly string[];
  /** Files with PEM texts; empty where there are none. */
  readonly kubeletCertificateAuthority: string;
  readonly kubeletClientCertificate: string;
  readonly kubeletClientKey: string;
}
