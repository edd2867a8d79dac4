import test from 'ava';
import {StatusError, type ApiObject, type PrinterColumn} from '../../../../sdk/index.js';
import {buildTable, parseIncludeObject, type TableOptions} from '../../../../core/api/table/build-table.js';
import {partialObjectMetadataList} from '../../../../core/api/table/partial-object-metadata.js';
import {cellFor} from '../../../../core/api/table/table-cell.js';
import {tableLayout} from '../../../../core/api/table/table-layout.js';

const now = new Date('2024-01-01T01:00:00Z');
const object: ApiObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: {name: 'w', namespace: 'n', creationTimestamp: '2024-01-01T00:00:00Z'},
  spec: {size: 3, ratio: 0.5, on: true, tags: ['a', 'b'], shape: {x: 1}},
};

const options = (layout: TableOptions['layout'], change: Partial<TableOptions> = {}): TableOptions => ({
  layout,
  apiVersion: 'meta.orch/v1',
  metadata: {resourceVersion: '7'},
  includeObject: 'Metadata',
  now,
  ...change,
});

test('a built-in type without columns shows Name and Created At [A-TABLE-1] [A-TABLE-2] [A-TABLE-3]', (t) => {
  const table = buildTable([object], options(tableLayout(undefined, 'built-in')));
  t.is(table.kind, 'Table');
  t.is(table.apiVersion, 'meta.orch/v1');
  t.deepEqual(table.metadata, {resourceVersion: '7'});
  t.deepEqual(
    table.columnDefinitions?.map(({name, type, format, priority}) => [name, type, format, priority]),
    [
      ['Name', 'string', 'name', 0],
      ['Created At', 'date', '', 0],
    ],
  );
  t.deepEqual(table.rows[0]!.cells, ['w', '2024-01-01T00:00:00Z']);
});

test('a custom resource without columns shows Name and Age [A-CRD-54]', (t) => {
  for (const columns of [undefined, []]) {
    const table = buildTable([object], options(tableLayout(columns, 'custom')));
    t.deepEqual(
      table.columnDefinitions?.map(({name, type}) => [name, type]),
      [
        ['Name', 'string'],
        ['Age', 'date'],
      ],
    );
    t.deepEqual(table.rows[0]!.cells, ['w', '60m']);
  }
});

test('columns show what stands at their path, in their type [A-CRD-52]', (t) => {
  const columns: PrinterColumn[] = [
    {name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big.', priority: 1, format: 'int32'},
    {name: 'Ratio', type: 'number', jsonPath: '.spec.ratio'},
    {name: 'On', type: 'boolean', jsonPath: '.spec.on'},
    {name: 'Tags', type: 'string', jsonPath: '.spec.tags[*]'},
    {name: 'Shape', type: 'string', jsonPath: '.spec.shape'},
    {name: 'Wrong', type: 'integer', jsonPath: '.metadata.name'},
    {name: 'Missing', type: 'string', jsonPath: '.spec.missing'},
    {name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp'},
  ];
  const table = buildTable([object], options(tableLayout(columns, 'custom')));
  t.deepEqual(table.rows[0]!.cells, ['w', 3, 0.5, true, 'a', '{"x":1}', null, null, '60m']);
  t.deepEqual(table.columnDefinitions![1], {name: 'Size', type: 'integer', format: 'int32', description: 'How big.', priority: 1});
});

test('cells without a path are computed, and only then asked for', (t) => {
  const computing = tableLayout(
    [
      {name: 'Name', type: 'string', jsonPath: '.metadata.name'},
      {name: 'Status', type: 'string'},
      {name: 'constructor', type: 'string'},
    ],
    'built-in',
  );
  t.true(computing.needsComputedCells);
  const table = buildTable([object], options(computing, {computedCells: (shown) => ({Status: `${shown.metadata.name} runs`})}));
  t.deepEqual(
    table.columnDefinitions?.map(({name}) => name),
    ['Name', 'Status', 'constructor'],
  );
  t.deepEqual(table.rows[0]!.cells, ['w', 'w runs', null]);
  const plain = tableLayout([{name: 'A', type: 'string', jsonPath: '.a'}], 'built-in');
  buildTable([object], options(plain, {computedCells: () => t.fail('not needed') as never}));
});

test('the age of an object needs no computing, but may be another one', (t) => {
  const layout = tableLayout([{name: 'Age', type: 'string'}], 'built-in');
  const cellsOf = (change: Partial<TableOptions>, shown = object) => buildTable([shown], options(layout, change)).rows[0]!.cells;
  t.deepEqual(cellsOf({}), ['w', '60m']);
  t.deepEqual(cellsOf({computedCells: () => ({})}), ['w', '60m']);
  t.deepEqual(cellsOf({}, {...object, metadata: {name: 'new'}}), ['new', '<unknown>']);
  t.deepEqual(cellsOf({computedCells: () => ({Age: 'of majority'})}), ['w', 'of majority']);
});

test('rows carry metadata, the object or nothing, and conditions where there are any', (t) => {
  const layout = tableLayout(undefined, 'custom');
  const rowOf = (change: Partial<TableOptions>) => buildTable([object], options(layout, change)).rows[0]!;
  t.deepEqual(rowOf({}).object, {kind: 'PartialObjectMetadata', apiVersion: 'meta.orch/v1', metadata: object.metadata});
  t.is(rowOf({includeObject: 'None'}).object, null);
  t.is(rowOf({includeObject: 'Object'}).object, object);
  t.false('conditions' in rowOf({}));
  t.deepEqual(rowOf({rowConditions: () => [{type: 'Completed', status: 'True'}]}).conditions, [{type: 'Completed', status: 'True'}]);
});

test('later events of a watch leave out the column definitions', (t) => {
  t.is(buildTable([object], options(tableLayout(undefined, 'custom'), {withColumnDefinitions: false})).columnDefinitions, null);
});

test('a malformed path is refused when the layout is made', (t) => {
  t.throws(() => tableLayout([{name: 'A', type: 'string', jsonPath: '.a['}], 'custom'), {instanceOf: SyntaxError});
});

test('dates that cannot be read and values of other types are told apart', (t) => {
  t.is(cellFor('date', ['x'], now), '<invalid>');
  t.is(cellFor('date', [''], now), '<unknown>');
  t.is(cellFor('date', [null], now), '<unknown>');
  t.is(cellFor('date', [5], now), null);
  t.is(cellFor('integer', [3.7], now), 3);
  t.is(cellFor('integer', [9007199254740993n], now), 9007199254740993n);
  t.is(cellFor('string', [1, true, null, 'x'], now), '1');
  t.is(cellFor('string', [null], now), '<no value>');
  t.is(cellFor('integer', [1e21], now), -9223372036854775808n);
  t.is(cellFor('boolean', ['true'], now), null);
  t.is(cellFor('number', ['1'], now), null);
});

test('includeObject takes three values', (t) => {
  for (const empty of [undefined, null, '']) t.is(parseIncludeObject(empty), 'Metadata');
  for (const value of ['None', 'Metadata', 'Object'] as const) t.is(parseIncludeObject(value), value);
  t.is(t.throws(() => parseIncludeObject('none'), {instanceOf: StatusError}).code, 400);
});

test('a list of metadata keeps those of the list', (t) => {
  const list = partialObjectMetadataList([object], {resourceVersion: '9', continue: 'x'}, 'meta.orch/v1beta1');
  t.is(list.kind, 'PartialObjectMetadataList');
  t.deepEqual(list.metadata, {resourceVersion: '9', continue: 'x'});
  t.deepEqual(list.items, [{kind: 'PartialObjectMetadata', apiVersion: 'meta.orch/v1beta1', metadata: object.metadata}]);
});
