import type {NamingProfile} from '../../../sdk/index.js';
import type {SchemaCatalog} from '../../api/object-schema/schema-catalog.js';
import type {ObjectKey, Resource} from '../../registry/resource.js';
import type {WatchFigures} from '../metrics/watch-figures.js';
import type {AuthenticatedExchange} from '../request/stages.js';
import type {Authorization} from '../authorization/authorization.js';

/** What every resource handler needs. */
export interface ResourceServices {
  readonly naming: NamingProfile;
  readonly authorization: Authorization;
  readonly schemas: SchemaCatalog;
  /** Whether `fieldValidation` has an effect (feature `ServerSideFieldValidation`). */
  readonly fieldValidation: boolean;
  readonly watches: WatchFigures;
}

/** A request for a resource whose type is known and serves the verb. */
export interface ResourceRequest {
  readonly exchange: AuthenticatedExchange;
  readonly resource: Resource;
  readonly services: ResourceServices;
}

export type ResourceHandler = (request: ResourceRequest) => Promise<void>;

/** The object that the path names. */
export function keyOf({info: {namespace, name}}: AuthenticatedExchange): ObjectKey {
  return {namespace, name};
}

/** Lets an update or apply create a missing object if the caller has the permission to create it. */
export function mayCreate({exchange, services}: ResourceRequest): () => Promise<void> {
  return () => services.authorization.require({...services.authorization.attributesOf(exchange), verb: 'create'});
}
