import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {celFeaturesOf} from '../../../../core/api/cel/features.js';
import {VariableScope} from '../../../../core/api/cel/expression-scope.js';
import {projectRoot} from '../../../helpers/project-root.js';
import {causesOf} from '../served-group.js';

const classes = '/apis/resource.k8s.io/v1/deviceclasses?dryRun=All';
/** What a kube-apiserver 1.36 has against selectors with the feature DRAListTypeAttributes and without it; empty if nothing. */
const recorded = JSON.parse(readFileSync(join(projectRoot(), 'test/plugins/resources/resource/device-selectors.json'), 'utf8')) as Readonly<
  Record<'on' | 'off', Readonly<Record<string, string>>>
>;

for (const gate of ['on', 'off'] as const)
  test(`selectors are judged as a kube-apiserver 1.36 judges them with lists as attributes ${gate}`, async (t) => {
    await using server = await startTestServer({
      platform: 'kubernetes',
      release: '1.36',
      featureGates: {DRAListTypeAttributes: gate === 'on'},
    });
    for (const [expression, fault] of Object.entries(recorded[gate])) {
      const answer = await server.client.post(classes, {metadata: {name: 'c'}, spec: {selectors: [{cel: {expression}}]}});
      const seen = answer.status === 201 ? [] : causesOf(answer);
      t.deepEqual(seen, fault === '' ? [] : [`spec.selectors[0].cel.expression: ${fault}`], expression);
    }
  });

test('includes finds a value in a list of at most 48 values, and compares with what is no list', (t) => {
  const scope = VariableScope.of(new Map([['value', undefined]]), celFeaturesOf('1.36', 'stored').with('includes'));
  const evaluate = (text: string, value: string | number | boolean | string[] | number[]) =>
    scope.compile(text, 'any').evaluate(scope.bind({value}), {left: 10_000_000});
  for (const [text, value, expected] of [
    ['value.includes("b")', ['a', 'b'], true],
    ['value.includes("c")', ['a', 'b'], false],
    ['value.includes(2)', [1, 2], true],
    ['value.includes("2")', [1, 2], false],
    ['value.includes("a")', 'a', true],
    ['value.includes("a")', 'ab', false],
    ['value.includes(true)', true, true],
    ['[semver("1.0.0")].includes(semver("1.0.0"))', 1, true],
    ['value.includes("47")', Array.from({length: 48}, (_, index) => `${index}`), true],
  ] as const)
    t.is(evaluate(text, value as string), expected, text);
  t.throws(
    () =>
      evaluate(
        'value.includes("x")',
        Array.from({length: 49}, () => 'a'),
      ),
    {message: "'includes' function cannot be applied to lists longer than 48 values"},
  );
});
