import type {GroupVersionInput} from '../../api/openapi/openapi-input.js';
import type {GroupVersionEntry} from '../../api/types/group-entry.js';
import type {ResourceTypeVersion} from '../../api/types/resource-type.js';
import {groupVersionInput, opaqueResource, type OpenApiSettings} from './group-version-input.js';

/**
 * Builds something from the types of a group version. A type whose schema cannot be described is described without its fields, and logged, so that it costs no
 * client the other types.
 *
 * @throws what `build` throws if even that is not enough
 */
export function soundDocument<T>(entry: GroupVersionEntry, settings: OpenApiSettings, build: (input: GroupVersionInput) => T): T {
  try {
    return build(groupVersionInput(entry, settings));
  } catch {
    const {input, faults} = soundInput(entry, settings, build);
    for (const {version, error} of faults)
      settings.logger.error(
        {plugin: version.type.plugin, resource: version.type.qualifiedName, version: version.name, err: error},
        `the schema of ${version.type.qualifiedName} in ${version.apiVersion} cannot be described in OpenAPI: it is published without its fields`,
      );
    return build(input);
  }
}

/** A type that cannot be described, and why. */
export interface UndescribedType {
  readonly version: ResourceTypeVersion;
  readonly error: unknown;
}

/** What a group version is described by, with each type tried alone. */
export function soundInput(
  entry: GroupVersionEntry,
  settings: OpenApiSettings,
  build: (input: GroupVersionInput) => unknown,
): {readonly input: GroupVersionInput; readonly faults: readonly UndescribedType[]} {
  const faults: UndescribedType[] = [];
  const resources = entry.types.map((version) => {
    try {
      const input = groupVersionInput({...entry, types: [version]}, settings);
      build(input);
      return input.resources[0]!;
    } catch (error) {
      faults.push({version, error});
      return opaqueResource(version, settings);
    }
  });
  return {input: {...groupVersionInput({...entry, types: []}, settings), resources}, faults};
}
