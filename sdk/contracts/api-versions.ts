/** Which API versions an operator has enabled and disabled (`--runtime-config`). */
export interface ApiVersions {
  /**
   * Whether a version is enabled. Versions without resources, such as that of a review that the server sends, are enabled only by
   * `--runtime-config`.
   *
   * @param group in the neutral form
   */
  isEnabled(group: string, version: string): boolean;
}
