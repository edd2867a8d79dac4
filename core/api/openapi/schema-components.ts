import type {GroupVersionKind} from '../../../sdk/index.js';
import type {JsonSchema} from '../schema/json-schema.js';
import type {ObjectSchema} from '../object-schema/object-schema.js';
import {metaDocument} from '../schema/schema-document.js';
import {objectProperties, typeProperties} from './object-properties.js';
import type {GroupVersionInput, OpenApiNode} from './openapi-input.js';
import {publishedSchema, type PublishContext} from './published-schema.js';
import {componentName, kindName} from './schema-names.js';

const componentPath = '#/components/schemas/';

/** Collects the schemas that a document refers to, each once, and all that they refer to. */
export class SchemaComponents {
  readonly #components = new Map<string, OpenApiNode>();
  readonly #names = new Map<string, string>();
  readonly #input: GroupVersionInput;

  constructor(input: GroupVersionInput) {
    this.#input = input;
  }

  /** The components by name, sorted. */
  all(): OpenApiNode {
    return Object.fromEntries([...this.#components].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to a definition of the common metadata. */
  meta(definition: string): OpenApiNode {
    return {$ref: this.#definition(`${metaDocument}#/definitions/${definition}`, '')};
  }

  /** A reference to the schema of an API object. */
  object(schema: ObjectSchema, kind: GroupVersionKind, selectableFields: readonly string[] = []): {$ref: string} {
    if (schema.reference !== undefined && schema.node.kubernetesSemantics) return {$ref: this.#definition(schema.reference, '', kind)};
    const key = `${schema.reference ?? ''} ${kind.group}/${kind.version}/${kind.kind}`;
    return {$ref: this.#add(key, kindName(kind, this.#input.naming.groupSuffix), () => this.#objectBody(schema, kind, selectableFields))};
  }

  /** A reference to the list of a kind: the definition next to the kind's own if there is one. */
  list(schema: ObjectSchema, kind: GroupVersionKind, listKind: string, selectableFields: readonly string[] = []): OpenApiNode {
    if (schema.reference !== undefined && schema.node.kubernetesSemantics) {
      const {documentId} = this.#input.catalog.definition(schema.reference);
      if (this.#input.catalog.hasDefinition(documentId, listKind))
        return {$ref: this.#definition(`${documentId}#/definitions/${listKind}`, '')};
    }
    const listGvk = {...kind, kind: listKind};
    const items = this.object(schema, kind, selectableFields);
    const name = items.$ref.slice(componentPath.length, items.$ref.lastIndexOf('.') + 1) + listKind;
    return {
      $ref: this.#add(`list ${kind.group}/${kind.version}/${listKind}`, name, () => ({
        description: `${listKind} is a list of ${kind.kind}`,
        type: 'object',
        required: ['items'],
        properties: {
          ...typeProperties(),
          metadata: {
            description: 'Standard list metadata: the version of the list, and how to go on with it.',
            allOf: [this.meta('ListMeta')],
          },
          items: {description: `List of ${kind.kind} objects.`, type: 'array', items},
        },
        'x-kubernetes-group-version-kind': [listGvk],
        ...selectable(selectableFields),
      })),
    };
  }

  #objectBody(schema: ObjectSchema, kind: GroupVersionKind, selectableFields: readonly string[]): OpenApiNode {
    const published = publishedSchema(schema.source, this.#context(schema.reference?.split('#')[0] ?? '', false));
    const {description, ...rest} = published;
    return {
      ...(description === undefined ? {} : {description}),
      ...rest,
      type: 'object',
      properties: objectProperties(published['properties'], this.meta('ObjectMeta')),
      'x-kubernetes-group-version-kind': [kind],
      ...selectable(selectableFields),
    };
  }

  #definition(reference: string, from: string, kind?: GroupVersionKind): string {
    const {documentId, document, name, schema} = this.#input.catalog.definition(reference, from);
    const key = `${documentId}#/definitions/${name}`;
    return this.#add(key, componentName(document.group, document.version, name, this.#input.naming.groupSuffix), () => {
      const published = publishedSchema(schema as JsonSchema, this.#context(documentId, document.semantics === 'typed'));
      if (kind && published['x-kubernetes-group-version-kind'] === undefined) published['x-kubernetes-group-version-kind'] = [kind];
      return published;
    });
  }

  /** The name is reserved before the body is created, because schemas may contain themselves. */
  #add(key: string, name: string, make: () => OpenApiNode): string {
    if (!this.#names.has(key)) {
      this.#names.set(key, name);
      this.#components.set(name, {});
      this.#components.set(name, make());
    }
    return componentPath + name;
  }

  #context(documentId: string, kubernetesSemantics: boolean): PublishContext {
    const {naming} = this.#input;
    return {
      kubernetesSemantics,
      reference: (reference) => this.#definition(reference, documentId),
      name: (kind, text) => naming[kind](text),
      group: (neutral) => naming.group(neutral),
    };
  }
}

function selectable(fields: readonly string[]): OpenApiNode {
  return fields.length > 0 ? {'x-kubernetes-selectable-fields': fields.map((fieldPath) => ({fieldPath}))} : {};
}
