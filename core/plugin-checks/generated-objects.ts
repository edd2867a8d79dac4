import type {ApiObject, JsonObject, JsonValue} from '../../sdk/index.js';
import {withoutOneMember} from '../../sdk/values/without-one-member.js';
import type {JsonSchema} from '../api/schema/json-schema.js';
import type {ResourceTypeVersion} from '../api/types/resource-type.js';

/** Objects that are tried for each version, and how many are made at most to find so many that are valid. */
const wanted = 10;
const most = 100;
const deepest = 12;
/** Of so many of the objects with all fields others are made that lack one of these each. */
const wholeObjects = 2;

/** Texts of many forms: what a pattern asks for is picked among them. */
const samples = [
  ...[
    'a',
    'abc',
    'A',
    'ABC',
    'Abc',
    'a1',
    'abc-1',
    'a_b',
    'a.b',
    'example.com',
    'a.example.com/b',
    'example.com/abc',
    'v1',
    'v1.2.3',
    '1.2.3',
    '1.26',
  ],
  ...[
    '0',
    '1',
    '12',
    '123',
    '1234',
    '12345',
    '0.5',
    '-1',
    '10m',
    '1Gi',
    '90s',
    '1h30m',
    '09:30',
    '09:30:00',
    '2026-01-02',
    '2026-01-02T03:04:05Z',
    '50%',
  ],
  ...[
    '/a/b',
    'a/b',
    'https://example.com/a',
    'a@example.com',
    '10.0.0.1',
    '10.0.0.0/8',
    '#aabbcc',
    'aabbcc',
    'EUR',
    'DE',
    'mo-fr',
    '* * * * *',
    '@daily',
    'a b',
  ],
];

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  duration: '90s',
  byte: 'YWJj',
  uuid: 'c7b9a3d2-5a56-4d3c-8f5e-2f6f0f6a1b2c',
  ipv4: '10.0.0.1',
  ipv6: 'fd00::1',
  cidr: '10.0.0.0/8',
  uri: 'https://example.com/a',
  email: 'a@example.com',
  hostname: 'example.com',
  mac: '00:00:5e:00:53:01',
};

/**
 * Valid objects of a version, made from its schema: the first ones with all fields, the others with some, and the first ones again without one of their members. The same for the same seed. There are none where
 * what the schema asks for is not found, such as a text for an unusual pattern.
 *
 * @param whole the schema without references
 */
export function generatedObjects(version: ResourceTypeVersion, whole: JsonSchema, seed: number): ApiObject[] {
  const maker = new Maker(seed);
  const {type, schema} = version;
  const found: ApiObject[] = [];
  for (let attempt = 0; attempt < most && found.length < wanted; attempt++) {
    const fields = maker.value({...whole, properties: withoutHead(whole.properties)}, attempt < 3 ? 1 : 0.6, 0);
    if (fields === undefined) continue;
    const metadata = {name: `generated-${attempt}`, ...(type.namespaced ? {namespace: 'default'} : {})};
    const object = {...(fields as JsonObject), apiVersion: version.apiVersion, kind: type.kind, metadata} as unknown as JsonObject;
    if (schema.decode(object, {unknown: []}).length > 0 || !schema.fillDefaults(object)) continue;
    type.strategy?.applyDefaults?.(object as unknown as ApiObject);
    if (schema.validate(object).length === 0) found.push(object as unknown as ApiObject);
  }
  const partial = found
    .slice(0, wholeObjects)
    .flatMap(({apiVersion, kind, metadata, ...fields}) =>
      withoutOneMember(fields).map((some) => ({...some, apiVersion, kind, metadata}) as unknown as JsonObject),
    );
  // What the schema does not ask for may be left out by a client.
  const valid = partial.filter((object) => schema.fillDefaults(object) && schema.validate(object).length === 0);
  return [...found, ...(valid as unknown as ApiObject[])];
}

function withoutHead(properties: JsonSchema['properties'] = {}): NonNullable<JsonSchema['properties']> {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !['apiVersion', 'kind', 'metadata'].includes(name)));
}

class Maker {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** A value of this schema; undefined if none is found. @param share how many of the optional members there are */
  value(schema: JsonSchema, share: number, depth: number): JsonValue | undefined {
    if (depth > deepest) return undefined;
    if (schema.enum !== undefined) return this.#pick(schema.enum.filter((each) => each !== null)) as JsonValue;
    if (schema['x-kubernetes-int-or-string']) return this.#below(100);
    switch (schema.type) {
      case 'object':
      case undefined:
        return this.#object(schema, share, depth);
      case 'array':
        return this.#array(schema, share, depth);
      case 'string':
        return this.#text(schema);
      case 'boolean':
        return this.#below(2) === 1;
      default:
        return this.#number(schema);
    }
  }

  #object({properties = {}, required = [], additionalProperties}: JsonSchema, share: number, depth: number): JsonObject | undefined {
    const object: JsonObject = {};
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (!isRequired && this.#fraction() >= share) continue;
      const value = this.value(property, share, depth + 1);
      if (value !== undefined) object[name] = value;
      else if (isRequired) return undefined;
    }
    if (typeof additionalProperties === 'object') {
      const value = this.value(additionalProperties, share, depth + 1);
      if (value !== undefined) object[`key-${this.#below(10)}`] = value;
    }
    return object;
  }

  #array({items = {}, minItems = 1, maxItems = 2}: JsonSchema, share: number, depth: number): JsonValue[] | undefined {
    const length = Math.min(Math.max(minItems, 1 + this.#below(2)), maxItems);
    const list: JsonValue[] = [];
    for (let index = 0; index < Math.min(length, 20); index++) {
      const value = this.value(items, share, depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
    }
    return list;
  }

  #text({format = '', pattern, minLength = 0, maxLength = 20}: JsonSchema): string | undefined {
    const known = formats[format];
    if (known !== undefined) return known;
    const fits = (text: string) => text.length >= minLength && text.length <= maxLength;
    if (pattern !== undefined) {
      let expression: RegExp;
      try {
        expression = new RegExp(pattern, 'u');
      } catch {
        return undefined;
      }
      return this.#pick(samples.filter((text) => fits(text) && expression.test(text)));
    }
    return `w${this.#below(1000)}`.padEnd(Math.min(minLength, 1000), 'x').slice(0, maxLength);
  }

  #number({type, minimum = 1, maximum = minimum + 100, exclusiveMinimum, exclusiveMaximum, multipleOf}: JsonSchema): number {
    const step = multipleOf ?? 1;
    const first = Math.ceil((minimum + (exclusiveMinimum ? step / 2 : 0)) / step) * step;
    const last = Math.min(maximum - (exclusiveMaximum ? step / 2 : 0), first + 100 * step);
    const value = first + this.#below(Math.floor((last - first) / step) + 1) * step;
    return type === 'integer' ? Math.round(value) : value;
  }

  #pick<T>(choices: readonly T[]): T | undefined {
    return choices[this.#below(choices.length)];
  }

  #below(bound: number): number {
    return Math.floor(this.#fraction() * Math.max(bound, 1));
  }

  /** From 0 to before 1: a linear congruential generator is random enough here. */
  #fraction(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}
