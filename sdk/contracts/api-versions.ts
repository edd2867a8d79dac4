/** Which API versions an operator has turned on and off (`--runtime-config`). */
export interface ApiVersions {
  /**
   * Whether a version is on. Versions without resources of their own, such as that of a review that the server sends, are on only where
   * `--runtime-config` says so.
   *
   * @param group in the neutral form
   */
  isEnabled(group: string, version: string): boolean;
}
