import type {NamingProfile} from '../../../sdk/index.js';
import type {SchemaCatalog} from '../../api/schema/schema-catalog.js';
import type {Subresource} from '../../api/types/resource-type.js';
import type {ServedVersion} from '../../registry/served-version.js';
import type {Exchange} from '../exchange.js';
import type {ObjectShape} from '../representation/object.js';
import type {Authorization} from '../filters/authorize.js';

/** What every resource handler works with. */
export interface ResourceServices {
  readonly naming: NamingProfile;
  readonly authorization: Authorization;
  readonly schemas: SchemaCatalog;
  /** Whether `fieldValidation` has an effect (feature `ServerSideFieldValidation`). */
  readonly fieldValidation: boolean;
}

/** A request for a resource whose type is known and serves the verb. */
export interface ResourceRequest {
  readonly exchange: Exchange;
  readonly served: ServedVersion;
  /** Undefined on the main endpoint. */
  readonly subresource: Subresource | undefined;
  readonly services: ResourceServices;
}

export type ResourceHandler = (request: ResourceRequest) => Promise<void>;

/** What the bodies of a request are: objects of the type, or of the kind of the subresource. */
export function shapeOf({served, subresource}: Pick<ResourceRequest, 'served' | 'subresource'>): ObjectShape {
  return subresource?.hasOwnKind ? {kind: subresource.kind, schema: subresource.schema} : served.version;
}
