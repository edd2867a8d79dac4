import type {JsonValue} from '../../sdk/index.js';
import type {CatalogueType} from '../../test/catalogue/catalogue-types.js';
import type {Schemas} from './schema-places.js';

/** A request that both servers get. */
export interface CompareRequest {
  readonly method: string;
  readonly path: string;
  /** A body that is JSON; `text` or `bytes` (in base64) one that need not be. */
  readonly body?: JsonValue;
  readonly text?: string;
  readonly bytes?: string;
  /** Without a media type among them, one that fits the method is sent with a body. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Group version, kind and what is asked or changed, for tables. */
  readonly about: string;
}

/** A subresource, as discovery has it. */
export interface ComparedSubresource {
  readonly name: string;
  readonly kind: string;
  /** Group and version of the kind, where they are not those of the type. */
  readonly groupVersion: string;
  readonly verbs: readonly string[];
}

/** A type with its published schemas. */
export interface ComparedType extends CatalogueType {
  readonly schemas: Schemas;
  readonly subresources: readonly ComparedSubresource[];
}
