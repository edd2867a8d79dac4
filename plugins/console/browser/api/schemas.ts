import {requestJson} from './request.js';
import {apiVersionOf, versionPath, type ResourceType} from './types.js';

/** A schema of OpenAPI v3, as far as the editor looks at it. */
export interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly {readonly group: string; readonly version: string; readonly kind: string}[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
}

interface Document {
  readonly components: {readonly schemas: Readonly<Record<string, Schema>>};
}

const documents = new Map<string, Promise<Document>>();

/** The schema of a type's objects, and what it refers to. */
export interface TypeSchema {
  readonly root: Schema;
  /** The schema that one stands for. */
  resolve(schema: Schema | undefined): Schema | undefined;
}

/** What OpenAPI says of a type; undefined where it says nothing. @throws Refusal */
export async function schemaOf(type: ResourceType): Promise<TypeSchema | undefined> {
  const path = `/openapi/v3${versionPath(type)}`;
  let document = documents.get(path);
  if (!document) {
    document = requestJson<Document>(path);
    documents.set(path, document);
    document.catch(() => documents.delete(path));
  }
  const {schemas} = (await document).components;
  const root = Object.values(schemas).find((schema) =>
    schema['x-kubernetes-group-version-kind']?.some(
      ({group, version, kind}) => kind === type.kind && (group === '' ? version : `${group}/${version}`) === apiVersionOf(type),
    ),
  );
  if (!root) return undefined;
  const resolve = (schema: Schema | undefined): Schema | undefined => {
    if (schema?.$ref !== undefined) return resolve(schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)]);
    // A reference beside a description of its own.
    const [only] = schema?.allOf ?? [];
    return only && schema?.properties === undefined
      ? {...resolve(only), ...(schema?.description ? {description: schema.description} : {})}
      : schema;
  };
  return {root, resolve};
}
