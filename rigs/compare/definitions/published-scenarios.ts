import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {loadAll} from 'js-yaml';
import type {JsonObject} from '../../../sdk/index.js';
import {projectRoot} from '../../../test/helpers/project-root.js';
import {definition, definitionsPath, specVersion, version, type DefinitionRequest, type Scenario} from './scenario.js';
import {valueSchemas} from './value-scenarios.js';

const text = {type: 'string', description: 'a text'};
/** How many of the schemas of values share a definition. */
const together = 2;

/** Versions whose root, or what is around it, differs from what others have. */
const roots: readonly (readonly JsonObject[])[] = [
  [version({})],
  [version({'x-kubernetes-preserve-unknown-fields': true, description: 'free'})],
  [
    version({
      properties: {apiVersion: {type: 'string', description: 'own words'}, kind: {type: 'string'}, metadata: {type: 'object'}, spec: text},
    }),
  ],
  [
    version({
      properties: {metadata: {type: 'object', properties: {name: {type: 'string', maxLength: 5, pattern: '^a'}}}},
      required: ['spec', 'metadata'],
    }),
  ],
  [version({properties: {spec: text, status: text}}, {subresources: {status: {}}})],
  [
    version(
      {properties: {spec: text}},
      {subresources: {status: {}, scale: {specReplicasPath: '.spec.n', statusReplicasPath: '.status.n'}}},
    ),
  ],
  [
    version(
      {properties: {spec: {...text, enum: ['a', 'b'], default: 'a', example: 'b', title: 'T'}}},
      {selectableFields: [{jsonPath: '.spec'}]},
    ),
  ],
  [version({additionalProperties: text} as JsonObject)],
  [
    version({properties: {spec: text}}),
    {...specVersion({a: text}), name: 'v2', storage: false},
    {...specVersion({b: text}), name: 'v3', storage: false, served: false},
  ],
  [{...version({properties: {spec: text}}), deprecated: true}],
  [
    version({
      properties: {spec: {type: 'object', properties: {a: {...text, 'x-kubernetes-validations': [{rule: 'self != ""', message: 'm'}]}}}},
      'x-kubernetes-validations': [{rule: 'true'}],
    }),
  ],
  [
    version({
      properties: {
        list: {type: 'array', items: {type: 'object', nullable: true, properties: {inner: {type: 'array', nullable: true, items: text}}}},
      },
    }),
  ],
  [
    version({
      properties: {
        spec: {
          type: 'object',
          nullable: true,
          default: {a: 1},
          externalDocs: {url: 'https://example.com'},
          properties: {a: {type: 'integer', nullable: true}},
        },
      },
    }),
  ],
  [version({properties: {spec: {type: 'object', properties: {$ref: text, 'a/b~c': text, 'ä ö': text, '': text}}}})],
];

/** Definitions of all kinds, by their group. */
function publishedDefinitions(): JsonObject[] {
  const entries = Object.entries(valueSchemas);
  const ofValues: JsonObject[] = [];
  for (let at = 0; at < entries.length; at += together)
    ofValues.push(
      definition(`published${at}.example.com`, [specVersion(Object.fromEntries(entries.slice(at, at + together)) as JsonObject)]),
    );
  const ofRoots = roots.map((versions, at) =>
    definition(
      `roots${at}.example.com`,
      versions,
      at % 2 === 0 ? {} : {scope: 'Cluster', names: {plural: 'things', kind: 'Thing', listKind: 'Things'}},
    ),
  );
  const folder = join(projectRoot(), 'test/fixtures/manifests/crds');
  const real = readdirSync(folder).flatMap((file) => {
    const documents: unknown[] = [];
    loadAll(readFileSync(join(folder, file), 'utf8'), (document) => documents.push(document));
    return documents.filter((one): one is JsonObject => (one as {kind?: string})?.kind === 'CustomResourceDefinition');
  });
  return [...ofValues, ...ofRoots, ...real];
}

/** All are created, then each is looked for in both kinds of documents. */
export function publishedScenarios(): Scenario[] {
  const all = publishedDefinitions();
  const specOf = (one: JsonObject) => one['spec'] as {group: string; names: {kind: string}; versions: {name: string; served: boolean}[]};
  const create = all.map((body): DefinitionRequest => ({
    method: 'POST',
    path: definitionsPath,
    body,
    about: `definition ${specOf(body).group}`,
  }));
  const documents = all.flatMap((body) => {
    const {group, names, versions} = specOf(body);
    return versions
      .filter(({served}) => served)
      .map(({name}): DefinitionRequest => ({
        method: 'GET',
        path: `/openapi/v3/apis/${group}/${name}`,
        about: `OpenAPI v3 of ${group}`,
        named: group,
        settles: {shows: `"kind":"${names.kind}"`},
      }));
  });
  // One document for all: it is large. What was created last is published last.
  const last = `"group":"${specOf(all.at(-1)!).group}"`;
  const domains = new Set(all.map((body) => specOf(body).group.split('.').slice(1).join('.')));
  const whole = [...domains].map((domain): DefinitionRequest => ({
    method: 'GET',
    path: '/openapi/v2',
    about: `OpenAPI v2 of ${domain}`,
    named: domain,
    settles: {shows: last},
  }));
  return [{name: 'published', requests: [...create, ...documents, ...whole]}];
}
