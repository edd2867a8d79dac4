/** `@orch-api/orch/sdk/configuration`: configuration files in the form of Kubernetes' objects, which are read again while the server runs. */
export {
  decodeConfiguration,
  type ConfigurationKind,
  type ConfigurationNode,
  type ConfigurationVersion,
  type DecodedConfiguration,
} from './decode-configuration.js';
export {ReloadFigures} from './reload-figures.js';
export {WatchedFile} from './watched-file.js';
