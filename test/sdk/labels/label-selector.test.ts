import test from 'ava';
import {
  isEmptySelector,
  labelsMatch,
  selectorMatches,
  validateLabelSelector,
  type LabelSelector,
} from '../../../sdk/labels/label-selector.js';
import {labelsText, selectorText} from '../../../sdk/labels/label-text.js';
import {fieldErrorText, FieldPath} from '../../../sdk/index.js';

const faults = (selector: LabelSelector) => validateLabelSelector(selector, FieldPath.of('spec', 'selector')).map(fieldErrorText);

test('operators need values or must have none', (t) => {
  t.deepEqual(
    faults({
      matchExpressions: [
        {key: 'a', operator: 'In'},
        {key: 'b', operator: 'Exists', values: ['x']},
        {key: 'c', operator: 'Like', values: ['x']},
      ],
    }),
    [
      "spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
      "spec.selector.matchExpressions[1].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
      'spec.selector.matchExpressions[2].operator: Invalid value: "Like": not a valid selector operator',
    ],
  );
});

test('keys and values have the form of labels, stored values excepted', (t) => {
  const selector: LabelSelector = {matchLabels: {'a/b/c': 'x y'}, matchExpressions: [{key: 'a', operator: 'In', values: ['ok', 'not ok']}]};
  const [key, value, listed, ...others] = faults(selector);
  t.regex(key!, /^spec\.selector\.matchLabels: Invalid value: "a\/b\/c": a qualified name/);
  t.regex(value!, /^spec\.selector\.matchLabels: Invalid value: "x y": a valid label must be/);
  t.regex(listed!, /^spec\.selector\.matchExpressions\[0\]\.values\[1\]: Invalid value: "not ok"/);
  t.deepEqual(others, []);
  const kept = validateLabelSelector({matchExpressions: selector.matchExpressions!}, FieldPath.root, {allowInvalidValues: true});
  t.deepEqual(kept, []);
  t.deepEqual(validateLabelSelector(undefined, FieldPath.root), []);
});

const labels = {app: 'web', tier: 'front'};
const matching: [LabelSelector | undefined, boolean][] = [
  [undefined, false],
  [{}, true],
  [{matchLabels: {app: 'web'}}, true],
  [{matchLabels: {app: 'web', tier: 'back'}}, false],
  [{matchExpressions: [{key: 'app', operator: 'In', values: ['db', 'web']}]}, true],
  [{matchExpressions: [{key: 'zone', operator: 'NotIn', values: ['a']}]}, true],
  [{matchExpressions: [{key: 'app', operator: 'NotIn', values: ['web']}]}, false],
  [{matchExpressions: [{key: 'zone', operator: 'Exists'}]}, false],
  [
    {
      matchExpressions: [
        {key: 'zone', operator: 'DoesNotExist'},
        {key: 'app', operator: 'Exists'},
      ],
    },
    true,
  ],
  [{matchExpressions: [{key: 'app', operator: 'Like'}]}, false],
  [{matchExpressions: [{key: 'toString', operator: 'Exists'}]}, false],
];

test('an empty selector matches everything, an absent one nothing', (t) => {
  for (const [selector, expected] of matching) t.is(selectorMatches(selector, labels), expected, JSON.stringify(selector));
  t.true(selectorMatches({}, undefined));
  t.true(isEmptySelector({matchLabels: {}}));
  t.false(labelsMatch({toString: 'x'}, {}));
});

test('texts are sorted by key', (t) => {
  t.is(labelsText({b: '2', a: '1'}), 'a=1,b=2');
  t.is(labelsText(undefined), '<none>');
  const matchExpressions = [
    {key: 'z', operator: 'Exists'},
    {key: 'm', operator: 'NotIn', values: ['y', 'x']},
    {key: 'b', operator: 'DoesNotExist'},
  ];
  t.is(selectorText({matchLabels: {c: '1'}, matchExpressions}), '!b,c=1,m notin (x,y),z');
  t.is(selectorText({}), '<none>');
  t.is(selectorText({matchExpressions: [{key: 'a', operator: 'Like'}]}), '<error>');
});
