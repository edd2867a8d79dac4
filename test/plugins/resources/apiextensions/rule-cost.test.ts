import {testOnEachStore} from '../../../helpers/each-store.js';
import {definition, definitionsPath, establish, faultsOf, freshGroup, version, withSpec, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore({featureGates: {CustomResourceValidationExpressions: true}});
const root = 'spec.validation.openAPIV3Schema';
const spec = `${root}.properties[spec]`;
const text = {type: 'string'};
const integer = {type: 'integer'};
const rules = (...texts: string[]) => ({'x-kubernetes-validations': texts.map((rule) => ({rule}))});
const advice = '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';
const tooCostly = (factor: string) => `Forbidden: estimated rule cost exceeds budget by factor of ${factor} ${advice}`;
const contributed = 'Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema';
const tooCostlyTogether = (factor: string) =>
  `Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget by factor of ${factor} ${advice}`;

interface Case {
  readonly title: string;
  /** The schema of `spec.a`. */
  readonly schema: Json;
  /** How far each rule is beyond its limit, by the path behind that of `spec.a`. */
  readonly beyond: Readonly<Record<string, string>>;
}

const pairs = 'self.all(x, self.all(y, x == y))';

const cases: readonly Case[] = [
  {
    title: 'loops in loops over a list without a bound are refused',
    schema: {type: 'array', items: integer, ...rules(pairs)},
    beyond: {'.x-kubernetes-validations[0].rule': 'more than 100x'},
  },
  {
    title: 'loops in loops over a short list are taken',
    schema: {type: 'array', maxItems: 1000, items: integer, ...rules(pairs)},
    beyond: {},
  },
  {
    title: 'a rule a little beyond the limit says by how much',
    schema: {type: 'array', maxItems: 1500, items: integer, ...rules(pairs)},
    beyond: {'.x-kubernetes-validations[0].rule': '1.125750x'},
  },
  {
    title: 'a rule well beyond the limit says roughly by how much',
    schema: {type: 'array', maxItems: 2000, items: integer, ...rules(pairs)},
    beyond: {'.x-kubernetes-validations[0].rule': '2.0x'},
  },
  {
    title: 'comparing texts without a bound in a list without a bound is refused',
    schema: {type: 'array', items: text, ...rules('self.all(x, x.contains("ab"))')},
    beyond: {'.x-kubernetes-validations[0].rule': 'more than 100x'},
  },
  {
    title: 'comparing short texts in a list without a bound is taken',
    schema: {type: 'array', items: {...text, maxLength: 5}, ...rules('self.all(x, x.startsWith("ab"))')},
    beyond: {},
  },
  {
    title: 'a rule counts once for each value that there can be',
    schema: {
      type: 'object',
      maxProperties: 100,
      additionalProperties: {type: 'array', maxItems: 100, items: {...text, maxLength: 10_000, ...rules('self.contains("ab")')}},
    },
    beyond: {'.additionalProperties.items.x-kubernetes-validations[0].rule': '4.0x'},
  },
  {
    title: 'without a bound there are as many values as fit into a request',
    schema: {type: 'array', items: {...text, maxLength: 100, ...rules('self.contains("ab")')}},
    beyond: {'.items.x-kubernetes-validations[0].rule': '4.3x'},
  },
  {
    title: 'required members keep down how many objects there can be',
    schema: {type: 'array', items: {type: 'object', required: ['n'], properties: {n: text}, ...rules('has(self.n) && self.n.size() > 1')}},
    beyond: {},
  },
];

for (const {title, schema, beyond} of cases) {
  storeTest(title, async (t, {client}) => {
    const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), {type: 'object', properties: {a: schema}}));
    const own = faultsOf(response).filter((fault) => fault.includes('estimated rule cost exceeds'));
    t.deepEqual(
      own,
      Object.entries(beyond).map(([place, factor]) => `${spec}.properties[a]${place}: ${tooCostly(factor)}`),
    );
    if (Object.keys(beyond).length === 0) t.is(response.status, 201, response.body.toString());
  });
}

storeTest('rules that together cost too much are refused, and the most expensive ones are named', async (t, {client}) => {
  const list = (maxItems: number, count: number) => ({
    type: 'array',
    maxItems,
    items: integer,
    ...rules(...Array.from({length: count}, () => pairs)),
  });
  const schema = {type: 'object', properties: {few: list(1400, 2), many: list(1300, 12), cheap: list(10, 1)}};
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
  t.deepEqual(faultsOf(response), [
    `${spec}.properties[few].x-kubernetes-validations[0].rule: ${contributed}`,
    `${spec}.properties[few].x-kubernetes-validations[1].rule: ${contributed}`,
    `${spec}.properties[many].x-kubernetes-validations[0].rule: ${contributed}`,
    `${spec}.properties[many].x-kubernetes-validations[1].rule: ${contributed}`,
    `${root}: ${tooCostlyTogether('1.210926x')}`,
  ]);
});

storeTest('rules of places without faults are checked beside faults of other places', async (t, {client}) => {
  const schema = {
    type: 'object',
    properties: {a: {...text, uniqueItems: true, ...rules('nobody')}, b: {...integer, ...rules('self > "a"')}},
  };
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
  t.deepEqual(faultsOf(response), [
    `${spec}.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`,
    `${spec}.properties[b].x-kubernetes-validations[0].rule: Invalid value: apiextensions.ValidationRule{Rule:"self > \\"a\\"", Message:""}: compilation failed: ERROR: <input>:1:6: found no matching overload for '_>_' applied to '(int, string)'\n | self > "a"\n | .....^`,
  ]);
});

storeTest('a rule needs a value that expressions can see', async (t, {client}) => {
  const detail =
    'Internal error: internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
  const open = {'x-kubernetes-preserve-unknown-fields': true};
  const schema = {
    type: 'object',
    properties: {
      a: {...open, ...rules('true')},
      b: {type: 'array', items: open, ...rules('self.size() > 0')},
      c: {type: 'array', items: open},
    },
    ...rules('has(self.c)'),
  };
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
  t.deepEqual(faultsOf(response), [
    `${spec}.properties[a].x-kubernetes-validations: ${detail}`,
    `${spec}.properties[b].x-kubernetes-validations: ${detail}`,
    `${spec}.x-kubernetes-validations[0].rule: Invalid value: apiextensions.ValidationRule{Rule:"has(self.c)", Message:""}: compilation failed: ERROR: <input>:1:4: undefined field 'c'\n | has(self.c)\n | ...^`,
  ]);
});

storeTest('defaults keep the rules of their schema', async (t, {client}) => {
  const schema = {
    type: 'object',
    properties: {
      a: {...integer, default: 5, ...rules('self < 3', 'self == oldSelf')},
      b: {
        type: 'object',
        default: {c: 1},
        properties: {c: {...integer, ...rules('self > 1')}, d: {...integer, default: 2}},
        ...rules('has(self.d)'),
      },
      e: {type: 'array', items: {type: 'object', properties: {f: {...text, default: 'x', ...rules('self == "y"')}}}},
      g: {...integer, default: 1, ...rules('self > 0')},
    },
  };
  const response = await client.post(`${definitionsPath}?dryRun=All`, withSpec(freshGroup(), schema));
  t.deepEqual(
    faultsOf(response).sort(),
    [
      `${spec}.properties[a].default: Invalid value: "integer": failed rule: self < 3`,
      `${spec}.properties[b].default.c: Invalid value: "integer": failed rule: self > 1`,
      `${spec}.properties[b].default: Invalid value: "object": failed rule: has(self.d)`,
      `${spec}.properties[e].items.properties[f].default: Invalid value: "string": failed rule: self == "y"`,
    ].sort(),
  );
});

storeTest('rules of a definition can be changed one by one, and only changed schemas are judged', async (t, {client}) => {
  const group = freshGroup();
  const list = (maxItems: number) => ({type: 'object', properties: {a: {type: 'array', maxItems, items: integer, ...rules(pairs)}}});
  await establish(client, withSpec(group, list(100)));
  const path = `${definitionsPath}/widgets.${group}`;
  const put = async (body: Json) => {
    const {metadata} = (await client.get(path)).json<{metadata: Json}>();
    return faultsOf(await client.put(path, {...body, metadata}));
  };
  t.deepEqual(await put(withSpec(group, list(2000))), [`${spec}.properties[a].x-kubernetes-validations[0].rule: ${tooCostly('2.0x')}`]);
  t.deepEqual(
    await put(definition(group, [version(list(100), {additionalPrinterColumns: [{name: 'a', type: 'string', jsonPath: '.spec.a'}]})])),
    [],
  );
});
