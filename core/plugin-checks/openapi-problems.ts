import type {NamingProfile} from '../../sdk/index.js';
import {buildGroupVersionDocument} from '../api/openapi/group-version-document.js';
import {swaggerJson} from '../api/openapi/v2/swagger-json.js';
import {buildSwaggerPart} from '../api/openapi/v2/swagger-part.js';
import {swaggerProtobuf} from '../api/openapi/v2/swagger-protobuf.js';
import type {SchemaCatalog} from '../api/object-schema/schema-catalog.js';
import type {ResourceCatalog} from '../api/types/resource-catalog.js';
import {soundInput} from '../http/openapi/sound-document.js';
import {errorDetail} from '../kernel/error-detail.js';
import type {KernelProblem} from '../kernel/kernel-error.js';
import type {FoundPlugin} from '../kernel/manifests/read-manifest.js';
import {serverProblem} from '../configuration/error-catalogue.js';
import {silentLogger} from '../logs/silent-logger.js';

/** The types of plugins that the OpenAPI documents of a server could not describe. */
export function openApiProblems(
  own: readonly FoundPlugin[],
  catalog: ResourceCatalog,
  schemas: SchemaCatalog,
  naming: NamingProfile,
): KernelProblem[] {
  const byName = new Map(own.map((plugin) => [plugin.name, plugin]));
  const settings = {schemas, naming, title: 'Orch', serverVersion: 'v0.0.0', hasCbor: false, logger: silentLogger};
  return catalog.ownGroups().flatMap(({versions}) =>
    versions.flatMap((entry) => {
      const types = entry.types.filter(({type}) => byName.has(type.plugin));
      const {faults} = soundInput({...entry, types}, settings, (input) => {
        buildGroupVersionDocument(input);
        for (const form of [swaggerJson, swaggerProtobuf]) buildSwaggerPart(input, form);
      });
      return faults.map(({version, error}) => {
        const {name, file} = byName.get(version.type.plugin)!;
        const detail = `${version.type.qualifiedName} in ${version.apiVersion} cannot be described in OpenAPI: ${errorDetail(error)}`;
        return serverProblem('CONTRIBUTION_INVALID', {detail}, {plugin: name, file, path: 'contributes.resources'});
      });
    }),
  );
}
