import {seededRandom} from '../../test/helpers/config-map-writers.js';

/** How many definitions share a group. */
const perGroup = 20;
/** Bounds of what the schema is filled up to, in bytes; what is around it adds a quarter. Real definitions with one version take 30 to 60 KB. */
const smallest = 24_000;
const largest = 48_000;
const deepest = 12;

const words = `the a of this field resource object name reference specifies whether controller must be set to when value is not used for
  namespace selector secret key certificate request traffic route backend listener implementation support core extended optional default
  duration timeout issuer provider account endpoint with by and or in if it they that may should ignored invalid status condition reported
  protocol port weight policy attached parent section match header path prefix exact regular expression rewrite mirror filter`.split(/\s+/);

type Random = () => number;

function below(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

/** Prose as descriptions have it: several sentences, of which seldom two are the same. */
function description(random: Random): string {
  const sentences = 1 + below(random, 5);
  return Array.from({length: sentences}, () => {
    const text = Array.from({length: 8 + below(random, 14)}, () => words[below(random, words.length)]).join(' ');
    return `${text[0]!.toUpperCase()}${text.slice(1)}.`;
  }).join('\n');
}

function memberName(random: Random, position: number): string {
  const [first, second] = [words[below(random, words.length)]!, words[below(random, words.length)]!];
  return `${first}${second[0]!.toUpperCase()}${second.slice(1)}${position}`;
}

function scalar(random: Random): Record<string, unknown> {
  switch (below(random, 7)) {
    case 0:
      return {type: 'integer', format: 'int32', minimum: 1, maximum: 65_535};
    case 1:
      return {type: 'boolean'};
    case 2:
      return {type: 'string', enum: ['Always', 'Never', 'IfNotPresent'], default: 'Always'};
    case 3:
      return {type: 'string', maxLength: 253, minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$'};
    case 4:
      return {anyOf: [{type: 'integer'}, {type: 'string'}], 'x-kubernetes-int-or-string': true};
    case 5:
      return {type: 'string', format: 'date-time'};
    default:
      return {type: 'string'};
  }
}

function object(random: Random, budget: number, depth: number): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  let left = budget;
  for (let position = 0; left > 0; position++) {
    // A deep branch takes most of what is left, as the pod template does in real definitions.
    const nested = depth < deepest && left > 2_000 && random() < 0.5;
    const share = nested ? left * (0.4 + random() * 0.5) : 0;
    const schema = {description: description(random), ...(nested ? composite(random, share, depth + 1) : scalar(random))};
    properties[memberName(random, position)] = schema;
    left -= nested ? share + 300 : JSON.stringify(schema).length + 30;
  }
  const names = Object.keys(properties);
  return {type: 'object', properties, ...(random() < 0.5 ? {required: names.slice(0, 2)} : {})};
}

function composite(random: Random, budget: number, depth: number): Record<string, unknown> {
  switch (below(random, 4)) {
    case 0:
      return {type: 'array', maxItems: 16, items: object(random, budget, depth + 1)};
    case 1: {
      const items = object(random, budget, depth + 1) as {properties: Record<string, unknown>; required?: string[]};
      items.properties.name = {type: 'string', maxLength: 63};
      items.required = ['name', ...(items.required ?? [])];
      return {type: 'array', maxItems: 16, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items};
    }
    case 2: {
      const schema = object(random, budget, depth);
      const [first, second = first] = Object.keys(schema.properties as object);
      // Deep in lists a rule may be checked too often for what rules may cost.
      if (depth > 4) return schema;
      return {
        ...schema,
        'x-kubernetes-validations': [{rule: `!has(self.${first}) || has(self.${second})`, message: `${first} needs ${second}`}],
      };
    }
    default:
      return object(random, budget, depth);
  }
}

export function definitionName(index: number): string {
  return `benches${index}.${groupOf(index)}`;
}

function groupOf(index: number): string {
  return `group${Math.floor(index / perGroup)}.bench.example.com`;
}

/**
 * A CustomResourceDefinition of real size and shape: 30 to 60 KB, a dozen levels, mostly prose, with lists by key, patterns,
 * defaults and here and there a validation rule. The same index gives the same text.
 */
export function definitionText(index: number): string {
  const random = seededRandom(index + 1);
  const size = smallest + below(random, largest - smallest);
  const status = {
    type: 'object',
    properties: {
      conditions: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
        items: {
          type: 'object',
          required: ['type', 'status'],
          properties: {
            type: {type: 'string'},
            status: {type: 'string', enum: ['True', 'False', 'Unknown']},
            reason: {type: 'string'},
            message: {type: 'string'},
          },
        },
      },
    },
  };
  const spec = object(random, size, 0);
  return JSON.stringify({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {name: definitionName(index), labels: {app: 'bench'}},
    spec: {
      group: groupOf(index),
      scope: 'Namespaced',
      names: {
        plural: `benches${index}`,
        singular: `bench${index}`,
        kind: `Bench${index}`,
        listKind: `Bench${index}List`,
        shortNames: [`b${index}`],
        categories: ['benches'],
      },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {status: {}},
          additionalPrinterColumns: [
            {name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status'},
            {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
          ],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {apiVersion: {type: 'string'}, kind: {type: 'string'}, metadata: {type: 'object'}, spec, status},
            },
          },
        },
      ],
    },
  });
}
