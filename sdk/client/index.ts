/** The typed client, for any program that talks to a server. It works without the rest of the package. */
export {types} from '../types/resources.js';
export type {ObjectOf, ResourceObject, ResourceHandle, Subresources, SubresourcesOf} from '../types/resource-handle.js';
export type {ApiObject} from '../objects/api-object.js';
export type {ListMeta, ObjectMeta, OwnerReference} from '../objects/object-meta.js';
export type {Status} from '../objects/status.js';
export {StatusError} from '../errors/status-error.js';

export {Client, customType, type ClientOptions, type CustomTypeNames} from './client.js';
export type {Connection, Credentials, CredentialSource, Impersonation} from './connection.js';
export {ConnectionError} from './connection-error.js';
export {decodeEnvelope, type Envelope} from './envelope.js';
export type {HttpRequest} from './http-exchange.js';
export type {HttpResponse} from './transport.js';
export type {
  ApplyOptions,
  CallOptions,
  DeleteCollectionOptions,
  DeleteOptions,
  GetOptions,
  ListOptions,
  PageOptions,
  Selector,
  WatchOptions,
  WriteOptions,
} from './options.js';
export {isExpired, type Page} from './pages.js';
export type {Platform, PlatformNames} from './platform.js';
export type {ResourceApi} from './resource-api.js';
export type {JsonPatchOperation, ListOf, MergePatch, PatchForms, ResourceEvent} from '../objects/resource-objects.js';
export type {SubresourceApi} from './subresource-api.js';
export type {Informer, InformerOptions} from './informer/informer.js';
export type {InformerHandler} from './informer/informer-handlers.js';
export type {CacheReader, IndexFunctions} from './informer/object-cache.js';

export {ClientResources} from './controllers/client-resources.js';
export {runController, type ControllerLoop, type RunControllerOptions} from './controllers/run-controller.js';
export {inClusterConnection, isInCluster, type InClusterOptions} from './config/in-cluster.js';
export {loadConnection, type LoadConnectionOptions} from './config/load-connection.js';
export {verifyClusterInfo} from './verify-cluster-info.js';
