import type {JsonObject} from '../objects/api-object.js';

/**
 * What the file of `--admission-control-config-file` says for admission controllers. Injected by `Tokens.AdmissionConfigurations`;
 * usable in constructors.
 */
export interface AdmissionConfigurations {
  /**
   * The configuration of one admission controller as the operator wrote it, with its `apiVersion` and `kind` where the form has them, names in the
   * naming profile's form. The controller checks it in its constructor: what that throws ends the start and is told together with the controller's name.
   *
   * @param name the controller's name, such as `PodSecurity`
   * @returns undefined if the file says nothing for it, or there is no file
   */
  get(name: string): JsonObject | undefined;
}
