import {existsSync} from 'node:fs';
import {capital, docComment, memberName, typeText, type TypeContext, type TypedSchema} from './schema-type.js';

/** A version of a resource type, with what its types follow from. */
export interface TypedVersion {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly isNamespaced: boolean;
  readonly schema: TypedSchema;
  /** Definitions that references without a document mean. */
  readonly definitions: Readonly<Record<string, TypedSchema>>;
  /** Names of subresources that carry objects, with the definition of what they carry; that of the type itself if it is undefined. */
  readonly subresources: ReadonlyMap<string, string | undefined>;
}

/** A structure that is written once: by what it was made from. */
type Sources = Map<TypedSchema, string>;

/** What every object has, whether or not its schema says so. */
const common = new Set(['apiVersion', 'kind', 'metadata']);
const sharedTypes = new URL('../../../sdk/types/', import.meta.url);

/**
 * One TypeScript module with the types of resource types and settings. Kinds are type aliases, so that they fit wherever any object does; what they are made of are
 * interfaces, named by their places (`BackupSpec`). A kind with several versions has the version in its name (`BackupV1`).
 */
export class TypeModule {
  readonly #versions: readonly TypedVersion[];
  readonly #settings: TypedSchema | undefined;
  readonly #title: string;
  /** Names by module. */
  readonly #imports = new Map<string, Map<string, string>>();
  readonly #names = new Set<string>(['ObjectMeta', 'ApiObject', 'Settings', 'types', 'namespaced', 'clusterWide', 'Record']);
  readonly #structures: string[] = [];

  /** @param title the comment at the beginning: what the module was made from */
  constructor(title: string, versions: readonly TypedVersion[], settings?: TypedSchema) {
    this.#title = title;
    this.#versions = versions;
    this.#settings = settings;
  }

  text(): string {
    const named = this.#versions.map((version) => ({version, name: this.#free(this.#nameOf(version))}));
    const kinds = named.map(({version, name}) => this.#kind(version, name));
    const settings = this.#settings ? this.#settingsText(this.#settings) : '';
    const handles = named.length === 0 ? '' : this.#handles(named);
    const head = `// ${this.#title}; do not edit.\n`;
    return [head + this.#importText(), ...kinds.flat(), settings, handles].filter((part) => part !== '').join('\n');
  }

  #nameOf({group, kind, version}: TypedVersion): string {
    const others = this.#versions.filter((other) => other.kind === kind);
    const [first = ''] = group.split('.');
    const own = new Set(others.map((other) => other.group)).size > 1 ? `${identifier(first)}${kind}` : kind;
    return others.filter((other) => other.group === group).length > 1 ? `${own}${capital(version)}` : own;
  }

  #kind({schema, definitions, ...version}: TypedVersion, name: string): string[] {
    const before = this.#structures.length;
    const sources: Sources = new Map([[schema, name]]);
    const context = this.#context(definitions, sources, name);
    const members = [
      '  apiVersion?: string;\n',
      '  kind?: string;\n',
      `  metadata: ${this.#import('@orch-api/orch/types/meta/v1', 'ObjectMeta')};\n`,
      ...this.#members(context, schema, name, (member) => !common.has(member)),
    ];
    const open = schema['x-kubernetes-preserve-unknown-fields'] ? ['  [member: string]: unknown;\n'] : [];
    const where = `${version.group}/${version.version}`;
    const comment = docComment('', schema) || `/** ${version.kind} of ${where}. */\n`;
    return [`${comment}export type ${name} = {\n${[...members, ...open].join('')}};\n`, ...this.#structures.splice(before)];
  }

  #settingsText(schema: TypedSchema): string {
    const before = this.#structures.length;
    const context = this.#context({}, new Map([[schema, 'Settings']]), 'Settings', true);
    const members = this.#members(context, schema, 'Settings', () => true, true);
    return [
      `/** The settings of the plugin, checked and with their defaults. */\nexport interface Settings {\n${members.join('')}}\n`,
      ...this.#structures.splice(before),
    ].join('\n');
  }

  /** @param isReadonly for settings, which are there too if they have a default */
  #members(context: TypeContext, schema: TypedSchema, owner: string, wants: (member: string) => boolean, isReadonly = false): string[] {
    return Object.entries(schema.properties ?? {})
      .filter(([member]) => wants(member))
      .map(([member, own]) => {
        this.#place = `${owner}${capital(identifier(member))}`;
        const isThere = schema.required?.includes(member) === true || (isReadonly && own.default !== undefined);
        const sign = isThere ? ':' : '?:';
        return `${docComment('  ', own)}  ${isReadonly ? 'readonly ' : ''}${memberName(member)}${sign} ${typeText(context, own)};\n`;
      });
  }

  /** The name that an inline structure gets that is met now. */
  #place = '';

  #context(definitions: TypedVersion['definitions'], sources: Sources, owner: string, isReadonly = false): TypeContext {
    const context: TypeContext = {
      reference: (target) => {
        const [document = '', name = ''] = target.split('#/definitions/');
        const own = document === '' ? definitions[name] : undefined;
        if (own) return own.properties ? this.#structure(context, sources, own, `${owner}${name}`, isReadonly) : typeText(context, own);
        return this.#sharedType(document, name);
      },
      structure: (schema) => {
        if (schema['x-kubernetes-embedded-resource']) return this.#import('@orch-api/orch/client', 'ApiObject');
        return this.#structure(context, sources, schema, this.#place, isReadonly);
      },
    };
    return context;
  }

  #structure(context: TypeContext, sources: Sources, schema: TypedSchema, wanted: string, isReadonly: boolean): string {
    const known = sources.get(schema);
    if (known !== undefined) return known;
    const name = this.#free(wanted);
    sources.set(schema, name);
    // Structures inside come after the one that they are part of.
    const place = this.#structures.push('') - 1;
    const members = this.#members(context, schema, name, () => true, isReadonly);
    const open =
      schema['x-kubernetes-preserve-unknown-fields'] || schema.additionalProperties === true ? ['  [member: string]: unknown;\n'] : [];
    this.#structures[place] = `${docComment('', schema)}export interface ${name} {\n${[...members, ...open].join('')}}\n`;
    return name;
  }

  /** A type of the platform. */
  #sharedType(document: string, name: string): string {
    const slash = document.lastIndexOf('/');
    const path = `${document.slice(0, slash).replace(/\.orch$/, '')}/${document.slice(slash + 1)}`;
    if (!/^[A-Za-z]\w*$/.test(name) || !/^[a-z.]+\/v[a-z\d]+$/.test(path) || !existsSync(new URL(`${path}.js`, sharedTypes)))
      return 'unknown';
    return this.#import(`@orch-api/orch/types/${path}`, name);
  }

  #import(module: string, name: string): string {
    const names = this.#imports.get(module) ?? new Map<string, string>();
    this.#imports.set(module, names);
    let local = names.get(name);
    if (local === undefined)
      names.set(name, (local = common.has(name) || name === 'ObjectMeta' || name === 'ApiObject' ? name : this.#free(name)));
    return local;
  }

  #free(wanted: string): string {
    let name = wanted;
    for (let number = 2; this.#names.has(name); number += 1) name = `${wanted}${number}`;
    this.#names.add(name);
    return name;
  }

  #importText(): string {
    const lines = [...this.#imports]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([module, names]) => {
        const list = [...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`)).toSorted();
        return `import type {${list.join(', ')}} from '${module}';\n`;
      });
    const scopes = [...new Set(this.#versions.map(({isNamespaced}) => (isNamespaced ? 'namespaced' : 'clusterWide')))].toSorted();
    if (scopes.length > 0) lines.push(`import {${scopes.join(', ')}} from '@orch-api/orch/types/resource-handle';\n`);
    return lines.join('');
  }

  #handles(named: readonly {readonly version: TypedVersion; readonly name: string}[]): string {
    const groups = new Map<string, Map<string, string[]>>();
    for (const {version: type, name} of named) {
      const key = identifier(type.group.split('.')[0] ?? '') || 'core';
      const versions = groups.get(key) ?? new Map<string, string[]>();
      groups.set(key, versions);
      const text = [type.group, type.version, type.plural, type.kind].map((part) => `'${part}'`).join(', ');
      const make = type.isNamespaced ? 'namespaced' : 'clusterWide';
      const lines = versions.get(type.version) ?? [];
      versions.set(type.version, lines);
      lines.push(`      ${type.kind}: ${make}<${name}, ${this.#subresources(type, name)}>(${text}),\n`);
    }
    const body = [...groups].map(
      ([group, versions]) =>
        `  ${memberName(group)}: {\n${[...versions].map(([version, lines]) => `    ${memberName(version)}: {\n${lines.join('')}    },\n`).join('')}  },\n`,
    );
    return `/** Where the kinds are served, for typed clients: \`client.resource(types.GROUP.VERSION.KIND, namespace)\`. Groups are named by their first word. */\nexport const types = {\n${body.join('')}} as const;\n`;
  }

  #subresources({subresources}: TypedVersion, own: string): string {
    const entries = [...subresources].map(([name, target]) => {
      const [document = '', definition = ''] = (target ?? '').split('#/definitions/');
      const carried = target === undefined ? own : document === '' ? 'unknown' : this.#sharedType(document, definition);
      return `${memberName(name)}: ${carried === 'unknown' ? this.#import('@orch-api/orch/client', 'ApiObject') : carried}`;
    });
    return entries.length === 0 ? 'Record<never, never>' : `{${entries.join('; ')}}`;
  }
}

/** A word of letters and digits. */
function identifier(text: string): string {
  return text.replaceAll(/[^A-Za-z\d]+(.)?/g, (_whole, next: string | undefined) => (next ?? '').toUpperCase());
}
