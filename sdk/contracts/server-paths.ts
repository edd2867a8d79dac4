/** Absolute paths of the server's own files. */
export interface ServerPaths {
  readonly dataDir: string;
  /** PEM file with the CA that signs and verifies client certificates. */
  readonly clientCaFile: string;
  /** PEM file with the private key of that CA; may be missing if nothing needs to be signed. */
  readonly clientCaKeyFile: string;
}
