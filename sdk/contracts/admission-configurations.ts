import type {JsonObject} from '../objects/api-object.js';

/**
 * The content of the file of `--admission-control-config-file` for admission controllers. Injected by `Tokens.AdmissionConfigurations`;
 * usable in constructors.
 */
export interface AdmissionConfigurations {
  /**
   * The configuration of one admission controller as written by the operator, including its `apiVersion` and `kind` if it has them, with
   * names in the naming profile's form. The controller validates it in its constructor: an error thrown there aborts the start and is
   * reported with the controller's name.
   *
   * @param name the controller's name, such as `PodSecurity`
   * @returns undefined if the file has no entry for it, or there is no file
   */
  get(name: string): JsonObject | undefined;
}
